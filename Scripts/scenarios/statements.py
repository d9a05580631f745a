"""A step as SQL: the statements that PostgREST would make of it."""

import json
import re

COMPARISONS = {"eq": "=", "neq": "<>", "gt": ">", "gte": ">=", "lt": "<", "lte": "<=", "cs": "@>", "ilike": "ilike"}


def literal(value):
    if value is None:
        return "null"
    text = value if isinstance(value, str) else json.dumps(value)
    escaped = text.replace("'", "''")
    return "e'" + escaped.replace("\\", "\\\\") + "'" if "\\" in text else f"'{escaped}'"


def name(text):
    if re.fullmatch(r"[a-z_]+", text) is None:
        raise ValueError(f"no name of a column or table: {text}")
    return f'"{text}"'


class Keys:
    """The foreign keys of the schema, for embedding: what a table's rows belong to, and what belongs to them."""

    def __init__(self, rows):
        # Of a table, its column, the table it names, and whether each is named once at most.
        self.rows = [(table, column, target, unique == "t") for table, column, target, unique in rows]

    QUERY = """
        select r.conrelid::regclass::text, a.attname, r.confrelid::regclass::text, exists (
          select from pg_constraint u where u.conrelid = r.conrelid and u.contype in ('u', 'p') and u.conkey = r.conkey)
        from pg_constraint r join pg_attribute a on a.attrelid = r.conrelid and a.attnum = r.conkey[1]
        where r.contype = 'f' and cardinality(r.conkey) = 1 and r.connamespace = 'public'::regnamespace"""

    def between(self, table, other, hint):
        """The column, which side has it, and whether there are many."""
        found = [(column, "ours", False) for one, column, target, _ in self.rows
                 if (one, target) == (table, other) and hint in (None, column)]
        found += [(column, "theirs", not unique) for one, column, target, unique in self.rows
                  if (one, target) == (other, table) and hint in (None, column)]
        if len(found) != 1:
            raise ValueError(f"{len(found)} ways from {table} to {other}")
        return found[0]


def parts(columns):
    """The parts between commas outside of parentheses."""
    return re.findall(r"(?:[^,()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))+", columns)


def selection(table, alias, columns, keys):
    """The list behind `select`, embedded rows as subqueries under the same rules."""
    items = []
    for part in parts(columns):
        match = re.fullmatch(r"(?:(\w+):)?(\w+)(?:!(\w+))?\((.*)\)", part)
        if match is None:
            # Notation of a function of the row, too: `is_liked_by_me`.
            items.append(f"{alias}.*" if part == "*" else f"{alias}.{name(part)}")
            continue
        label, other, hint, inner = match.groups()
        column, side, many = keys.between(table, other, hint)
        below = f"{alias}_{label or other}"
        link = f"{below}.id = {alias}.{name(column)}" if side == "ours" else f"{below}.{name(column)} = {alias}.id"
        rows = f"select {selection(other, below, inner, keys)} from public.{name(other)} {below} where {link}"
        value = "coalesce(json_agg(row_to_json(found)), '[]')" if many else "row_to_json(found)"
        items.append(f"(select {value} from ({rows}) found) as {name(label or other)}")
    return ", ".join(items)


def condition(alias, where):
    terms = []
    for column, filters in where.items():
        for text in filters if isinstance(filters, list) else [filters]:
            terms.append(term(f"{alias}.{name(column)}", text))
    return " where " + " and ".join(terms) if terms else ""


def term(column, text):
    operator, _, value = text.partition(".")
    if operator == "not":
        return f"not ({term(column, value)})"
    if operator == "is" and value in ("null", "true", "false"):
        return f"{column} is {value}"
    if operator == "in":
        return f"{column} in ({', '.join(literal(entry) for entry in value[1:-1].split(','))})"
    if operator == "ilike":
        value = value.replace("*", "%")
    return f"{column} {COMPARISONS[operator]} {literal(value)}"


def tail(alias, step):
    text = ""
    if "order" in step:
        orders = [part.partition(".") for part in step["order"].split(",")]
        text += " order by " + ", ".join(
            f"{alias}.{name(column)} {'desc' if direction == 'desc' else 'asc'}" for column, _, direction in orders)
    for word in "limit", "offset":
        if word in step:
            text += f" {word} {int(step[word])}"
    return text


def as_json(query):
    return f"select coalesce(json_agg(row_to_json(found)), '[]') from ({query}) found"


def reading(source, table, step, keys):
    columns = selection(table, "t", step.get("columns", "*"), keys)
    return as_json(f"select {columns} from {source} t{condition('t', step.get('where', {}))}{tail('t', step)}")


def body(table, rows):
    """The columns of the rows, and a query that reads them with the columns' own types."""
    given = rows if isinstance(rows, list) else [rows]
    columns = list(given[0])
    if any(set(row) != set(columns) for row in given):
        raise ValueError("rows of one request have the same columns")
    names = ", ".join(name(column) for column in columns)
    return columns, names, (f"select {names} from json_populate_recordset(null::public.{name(table)}, "
                            f"{literal(json.dumps(given, ensure_ascii=False))})")


def writing(verb, step, keys):
    """A write; with `returning` the written rows come back, as far as the writer may see them."""
    table = step[verb]
    alias = "written"
    target = f"public.{name(table)} as {alias}"
    if verb in ("insert", "upsert"):
        columns, names, rows = body(table, step["rows"])
        statement = f"insert into {target} ({names}) {rows}"
        if verb == "upsert":
            on = ", ".join(name(column) for column in step["on"].split(","))
            sets = ", ".join(f"{name(column)} = excluded.{name(column)}" for column in columns)
            statement += f" on conflict ({on}) do " + (
                "nothing" if step.get("duplicates") == "ignore" else f"update set {sets}")
    elif verb == "update":
        columns, names, rows = body(table, step["set"])
        sets = ", ".join(f"{name(column)} = given.{name(column)}" for column in columns)
        statement = f"update {target} set {sets} from ({rows}) given{condition(alias, step['where'])}"
    else:
        statement = f"delete from {target}{condition(alias, step['where'])}"
    # As PostgREST: an update or delete is counted by its rows.
    returning = step.get("returning", None if verb in ("insert", "upsert") else "*")
    if returning is None:
        return statement
    columns = selection(table, "t", returning, keys)
    return f"with changed as ({statement} returning {alias}.*) {as_json(f'select {columns} from changed t')}"
