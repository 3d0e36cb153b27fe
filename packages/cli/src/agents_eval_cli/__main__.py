"""Lets `python -m agents_eval_cli` be the program."""

from agents_eval_cli.app import main

if __name__ == "__main__":
    main()
