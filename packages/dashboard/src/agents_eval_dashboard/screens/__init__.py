"""The pages, one file each; in a folder called `pages` Streamlit would run them itself, past `app.py`."""
