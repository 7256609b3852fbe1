"""What people see: tables, progress, summaries."""
