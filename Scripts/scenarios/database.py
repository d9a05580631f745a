"""A temporary PostgreSQL with the project's migrations, and the mutations that weaken it by one rule."""

import concurrent.futures
import os
import pwd
import queue
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psycopg
from backend import ROOT

TESTS = ROOT / "supabase/tests"
MIGRATIONS = sorted((ROOT / "supabase/migrations").glob("*.sql"))
# 15, as the project uses; a newer version where a system has only that.
PROGRAMS = [Path("/usr/lib/postgresql/15/bin"), Path("/opt/homebrew/opt/postgresql@15/bin"),
            *sorted(Path("/usr/lib/postgresql").glob("1[6-9]/bin"))]
# Durability costs time, and this server is temporary. A short deadlock_timeout finds deadlocks; there must be none.
SETTINGS = ("listen_addresses=''", "fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off",
            "max_connections=100", "deadlock_timeout=100ms", "shared_buffers=64MB")


class Failure(Exception):
    """The reason why a part failed."""


class Server:
    """A PostgreSQL in a temporary folder, reached only by its socket."""

    def __enter__(self):
        self.programs = next((path for path in PROGRAMS if (path / "initdb").exists()), None)
        shared = self.programs and subprocess.run([self.programs / "pg_config", "--sharedir"], capture_output=True,
                                                  text=True).stdout.strip()
        if not shared or not (Path(shared) / "extension/pgtap.control").exists():
            sys.exit("PostgreSQL 15 or newer with pgTAP is missing:\n"
                     "apt-get install postgresql-15 postgresql-15-pgtap (Debian 12; 17 in Debian 13)")
        # The path of a socket has at most 107 bytes.
        self.folder = Path(tempfile.mkdtemp(prefix="supabase-", dir="/tmp"))
        self.as_owner = []
        if os.geteuid() == 0:
            # A server cannot run as root.
            shutil.chown(self.folder, "postgres", pwd.getpwnam("postgres").pw_gid)
            self.as_owner = ["runuser", "-u", "postgres", "--"]
        try:
            self.control("initdb", "--username=supabase_admin", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8",
                         "--no-sync")
            options = " ".join(f"-c {setting}" for setting in SETTINGS)
            self.control("pg_ctl", "start", "-w", "-l", self.folder / "log", "-o", f"{options} -k {self.folder}")
            self.migrate("base")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if (self.folder / "data/postmaster.pid").exists():
            self.control("pg_ctl", "stop", "-m", "immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def control(self, program, *arguments):
        command = [*self.as_owner, self.programs / program, *arguments, "-D", self.folder / "data"]
        done = subprocess.run(command, cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        if done.returncode != 0:
            raise Failure(f"{program} failed")

    def client(self, program, *arguments, user="postgres"):
        """The exit code and the output of a client program."""
        done = subprocess.run(
            [self.programs / program, "-h", self.folder, "-U", user, *arguments], stdin=subprocess.DEVNULL, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env=os.environ | {"PGOPTIONS": "-c client_min_messages=warning"})
        return done.returncode, done.stdout

    def psql(self, database, *arguments, user="postgres"):
        status, text = self.client("psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", database, *arguments, user=user)
        if status != 0:
            raise Failure(f"{arguments}: {text.strip()}")
        return text.strip()

    def connect(self, database, user):
        return psycopg.connect(host=str(self.folder), dbname=database, user=user, autocommit=True,
                               prepare_threshold=None, options="-c client_min_messages=warning")

    def execute(self, sql, database="template1", user="supabase_admin"):
        with self.connect(database, user) as connection:
            cursor = connection.execute(sql)
            return cursor.fetchall() if cursor.description else []

    def create(self, database, template):
        self.execute(f"create database {database} owner postgres template {template} strategy file_copy")

    def drop(self, database):
        self.execute(f"drop database {database} with (force)")

    def migrate(self, database, last=None):
        """Creates a database with the migrations, up to the one whose name begins with `last`."""
        self.execute(f"create database {database} template template0")
        self.psql(database, "-f", TESTS / "support/bootstrap.psql", user="supabase_admin")
        for migration in MIGRATIONS:
            if last is None or migration.name[:len(last)] <= last:
                self.psql(database, "-1", "-f", migration)

    def mutations(self, database="base"):
        """Pairs of a name and the SQL that weakens the database by one rule, from the system catalog."""
        return self.execute((TESTS / "support/mutations.psql").read_text(), database, "postgres")


def print_survivors(mutations, workers, is_noticed):
    """Applies each mutation with one of the workers, and prints those that no test notices; whether there are none."""
    begun, survivors, free = time.monotonic(), [], queue.SimpleQueue()
    for worker in workers:
        free.put(worker)

    def work(name, statement):
        worker = free.get()
        try:
            return is_noticed(worker, name, statement)
        finally:
            free.put(worker)

    pool = concurrent.futures.ThreadPoolExecutor(len(workers))
    try:
        answers = [(name, pool.submit(work, name, statement)) for name, statement in mutations]
        for number, (name, answer) in enumerate(answers, 1):
            if not answer.result():
                survivors.append(name)
                print(f"survived  {name}", flush=True)
            elif number % 100 == 0:
                print(f"          {number} of {len(answers)}", flush=True)
    finally:
        pool.shutdown(cancel_futures=True)
    print(f"{len(mutations) - len(survivors)} of {len(mutations)} mutations noticed, {time.monotonic() - begun:.0f} s")
    return not survivors
