"""`python -m quchong`: the command `quchong`, for where its folder is not on the path."""

from quchong.cli.main import run

if __name__ == "__main__":
    run()
