"""A campaign as tables: rows and columns, exact, for spreadsheets, data frames and SQL."""
