"""The turn's report: as text for a mailing list, as a page to print, one sheet a chart, and as PDF."""
