"""What this library costs and what others cost for the same answers; see CONTRIBUTING.md."""
