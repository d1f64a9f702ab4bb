"""The commands. Each is imported when it is called, so that `--help` answers at once."""

from __future__ import annotations

import gc
import importlib
import os
import signal
import sys
from types import FrameType

import click

from quchong.errors import OutputError, QuchongError

COMMANDS = {
    "dedup": "Find copies, keep the best of each, say why the others went.",
    "filter": "Let the first of every text through, at once; a stream.",
    "explain": "Why a document of a run went, as a copy of what.",
    "restore": "Put removed rows of a run back.",
    "compare": "What two texts or web pages have in common.",
    "passages": "Where two texts agree, or every passage that stands twice in a corpus.",
    "statistics": "Count document frequencies for --weights idf.",
    "methods": "Every method: what it finds, what it costs, where it comes from.",
    "lab": "The papers' experiments: tables and plots, their figures beside ours.",
}

INTERRUPTED = 130

EPILOG = (
    "Exit codes: 0 done; 1 an error of ours; 2 an option that cannot be used; 3 an input that cannot be read; "
    "4 an output that cannot be written; 5 a run folder that is missing or damaged; 130 stopped by Ctrl-C."
)


class LazyCommands(click.Group):
    """Knows the names and one-line helps; imports a command's module when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of use."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"quchong.cli.{cmd_name}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyCommands, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="quchong")
def cli() -> None:
    """Finds, explains and removes copies in a pile of text: exact, near-duplicate and contained documents.

    Chinese, English and mixed text are compared rightly without a language option.
    """


def _terminate(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def main() -> None:
    """Runs a command; errors of ours become one line and an exit code."""
    gc.set_threshold(100_000, 20, 100)  # modules make many objects and few circles: looking for them is time lost
    signal.signal(signal.SIGTERM, _terminate)
    try:
        cli.main(standalone_mode=False)
    except click.exceptions.Abort:
        click.echo("\nquchong: stopped; no output was written or changed", err=True)
        sys.exit(INTERRUPTED)
    except KeyboardInterrupt:
        click.echo("\nquchong: stopped; no output was written or changed", err=True)
        sys.exit(INTERRUPTED)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except QuchongError as error:
        click.echo(f"quchong: {error}", err=True)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:  # of standard output: files tell of theirs through OutputError
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        click.echo(f"quchong: {error.strerror or error}", err=True)
        sys.exit(OutputError.exit_code)
    except MemoryError:
        click.echo(
            "quchong: out of memory: ask for less, or cut the input into parts (dedup: give the parts done with --against)",
            err=True,
        )
        sys.exit(1)


if __name__ == "__main__":
    main()
