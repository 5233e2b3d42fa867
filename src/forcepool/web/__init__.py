"""The web app: pages and a JSON API over the campaigns of one folder."""
