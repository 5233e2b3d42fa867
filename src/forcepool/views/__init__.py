"""What a face shows of a campaign, as plain data: the command line, the pages and the printed charts share it."""
