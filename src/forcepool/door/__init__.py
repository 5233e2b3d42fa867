"""The front door for programs: `forcepool.open`, `forcepool.new`, and the campaign they give."""
