"""What all tasks share: contenders in processes of their own, stored records, the machine, tables and the page."""
