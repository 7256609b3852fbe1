"""Reports as files: JSON for scripts, tables for spreadsheets, a page to look at and to act on."""
