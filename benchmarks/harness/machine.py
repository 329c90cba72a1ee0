"""What the times were measured on."""

import os
import platform
import re
from pathlib import Path


def machine():
    """Processor, cores, memory, system."""
    cpu = _first(r"model name\s*: (.*)", "/proc/cpuinfo") or platform.processor()
    memory = int(_first(r"MemTotal:\s*(\d+)", "/proc/meminfo") or 0) / 2**20
    system = _first(r'PRETTY_NAME="(.*)"', "/etc/os-release") or platform.system()
    return f"{cpu}, {os.cpu_count()} cores, {memory:.0f} GB, {system}, Python {platform.python_version()}"


def _first(pattern, path):
    text = Path(path).read_text() if Path(path).exists() else ""
    found = re.search(pattern, text)
    return found[1] if found else None
