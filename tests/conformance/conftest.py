"""One Spark session on one machine, and what is compared."""

import importlib.util
import os
import shutil
import sys

import pytest
from spark_rows import mixed_rows

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "2g",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "100",
    "spark.python.worker.reuse": "true",
    # Of a few hundred rows it is Spark's own work that takes the time: compiling Java well or at all, planning again, describing
    # plans. test_cluster has all of that as it is by default. The code cache is as large as Java's own, not the smaller one of
    # C1 alone, which a session of this many runs fills. Room for classes and young objects from the start saves a third of the
    # collections, and a DataFrame that notes no line of Python for its errors a third of what pytest's process does.
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m -XX:+UseSerialGC"
    " -XX:MetaspaceSize=400m -Xms1200m -Xmn700m",
    "spark.python.sql.dataFrameDebugging.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.constraintPropagation.enabled": "false",
    "spark.sql.ui.explainMode": "simple",
    "spark.sql.maxPlanStringLength": "100",
}


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
    # Spark forks its Python workers: no library may have a thread then, whose locks the fork would wait for.
    os.environ.update(OPENBLAS_NUM_THREADS="1", JE_ARROW_MALLOC_CONF="background_thread:false")
    builder = SparkSession.builder.appName("quchong conformance").master("local[2,2]")  # a failed task is tried again
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture(scope="session")
def rows():
    """See `spark_rows.mixed_rows`."""
    return mixed_rows()
