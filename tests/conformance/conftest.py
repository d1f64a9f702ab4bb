"""One Spark session on one machine, and what is compared."""

import importlib.util
import os
import shutil
import sys

import pytest
from spark_rows import mixed_rows


def why_not():
    """Why no Spark can run here; empty where it can."""
    if importlib.util.find_spec("pyspark") is None:
        return "pyspark is not installed: pip install 'quchong[spark]'"
    if shutil.which("java") is None and not os.environ.get("JAVA_HOME"):
        return "Spark needs Java 17: there is no java on the path, and no JAVA_HOME"
    return ""


@pytest.fixture(scope="session")
def spark():
    reason = why_not()
    if reason:
        pytest.skip(reason)
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master("local[2]")
        .appName("quchong conformance")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.memory", "1g")
        .config(
            "spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
        )  # to compile well takes Java longer than what a test runs
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "100")
        .config("spark.python.worker.reuse", "true")
        .config(
            "spark.sql.adaptive.enabled", "false"
        )  # of a few hundred rows planning again takes longest; test_cluster has it
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture(scope="session")
def rows():
    """See `spark_rows.mixed_rows`."""
    return mixed_rows()
