"""The SQL that PostgREST would execute for a step."""

import json
import re

COMPARISONS = {"eq": "=", "neq": "<>", "gt": ">", "gte": ">=", "lt": "<", "lte": "<=", "cs": "@>", "ilike": "ilike"}


def literal(value):
    if value is None:
        return "null"
    text = (value if isinstance(value, str) else json.dumps(value)).replace("'", "''")
    return "e'" + text.replace("\\", "\\\\") + "'" if "\\" in text else f"'{text}'"


def name(text):
    if re.fullmatch(r"[a-z_]+", text) is None:
        raise ValueError(f"not the name of a column or table: {text}")
    return f'"{text}"'


class Keys:
    """The foreign keys of the schema, for embedding: table, column, target, and whether each target occurs once.

    The second column of a key can be the family, which limits the reference to it.
    """

    QUERY = """
        select r.conrelid::regclass::text, a.attname, r.confrelid::regclass::text, exists (
          select from pg_constraint u where u.conrelid = r.conrelid and u.contype in ('u', 'p') and u.conkey = r.conkey)
        from pg_constraint r join pg_attribute a on a.attrelid = r.conrelid and a.attnum = r.conkey[1]
        left join pg_attribute second on second.attrelid = r.conrelid and second.attnum = r.conkey[2]
        where r.contype = 'f' and r.connamespace = 'public'::regnamespace
          and (cardinality(r.conkey) = 1 or cardinality(r.conkey) = 2 and second.attname = 'family_unit_id')"""

    def __init__(self, rows):
        self.rows = rows

    def between(self, table, other, hint):
        """The column, whether the first table has it, and whether there can be several rows."""
        found = [(column, True, False) for one, column, target, _ in self.rows
                 if (one, target) == (table, other) and hint in (None, column)]
        found += [(column, False, not unique) for one, column, target, unique in self.rows
                  if (one, target) == (other, table) and hint in (None, column)]
        if len(found) != 1:
            raise ValueError(f"{len(found)} foreign keys between {table} and {other}")
        return found[0]


def selection(table, alias, columns, keys):
    """The list of columns; embedded rows are subqueries under the same policies."""
    items = []
    # At commas outside of parentheses.
    for part in re.findall(r"(?:[^,()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))+", columns):
        match = re.fullmatch(r"(?:(\w+):)?(\w+)(?:!(\w+))?\((.*)\)", part)
        if match is None:
            # This notation also calls a function of the row, like `is_liked_by_me`.
            items.append(f"{alias}.*" if part == "*" else f"{alias}.{name(part)}")
            continue
        label, other, hint, inner = match.groups()
        column, is_ours, many = keys.between(table, other, hint)
        below = f"{alias}_{label or other}"
        link = f"{below}.id = {alias}.{name(column)}" if is_ours else f"{below}.{name(column)} = {alias}.id"
        rows = f"select {selection(other, below, inner, keys)} from public.{name(other)} {below} where {link}"
        value = "coalesce(json_agg(row_to_json(found)), '[]')" if many else "row_to_json(found)"
        items.append(f"(select {value} from ({rows}) found) as {name(label or other)}")
    return ", ".join(items)


def condition(alias, where):
    terms = [term(f"{alias}.{name(column)}", text) for column, filters in where.items()
             for text in (filters if isinstance(filters, list) else [filters])]
    return " where " + " and ".join(terms) if terms else ""


def term(column, text):
    operator, _, value = text.partition(".")
    if operator == "not":
        return f"not ({term(column, value)})"
    if operator == "is" and value in ("null", "true", "false"):
        return f"{column} is {value}"
    if operator == "in":
        return f"{column} in ({', '.join(literal(entry) for entry in value[1:-1].split(','))})"
    return f"{column} {COMPARISONS[operator]} {literal(value.replace('*', '%') if operator == 'ilike' else value)}"


def as_json(query):
    return f"select coalesce(json_agg(row_to_json(found)), '[]') from ({query}) found"


def reading(source, table, step, keys):
    columns = selection(table, "t", step.get("columns", "*"), keys)
    query = f"select {columns} from {source} t{condition('t', step.get('where', {}))}"
    if "order" in step:
        orders = [part.partition(".") for part in step["order"].split(",")]
        query += " order by " + ", ".join(f"t.{name(column)} {'desc' if direction == 'desc' else 'asc'}"
                                          for column, _, direction in orders)
    return as_json(query + "".join(f" {word} {int(step[word])}" for word in ("limit", "offset") if word in step))


def body(table, rows):
    """The columns of the rows, and a query that reads the rows with the types of the columns."""
    given = rows if isinstance(rows, list) else [rows]
    columns = list(given[0])
    if any(set(row) != set(columns) for row in given):
        raise ValueError("the rows of a request have different columns")
    names = ", ".join(map(name, columns))
    return columns, names, (f"select {names} from json_populate_recordset(null::public.{name(table)}, "
                            f"{literal(json.dumps(given, ensure_ascii=False))})")


def writing(verb, step, keys):
    """A write; with `returning`, the written rows that the caller can see."""
    table = step[verb]
    target = f"public.{name(table)} as written"
    if verb in ("insert", "upsert"):
        columns, names, rows = body(table, step["rows"])
        statement = f"insert into {target} ({names}) {rows}"
        if verb == "upsert":
            sets = ", ".join(f"{name(column)} = excluded.{name(column)}" for column in columns)
            statement += f" on conflict ({', '.join(map(name, step['on'].split(',')))}) do " + (
                "nothing" if step.get("duplicates") == "ignore" else f"update set {sets}")
    elif verb == "update":
        columns, names, rows = body(table, step["set"])
        sets = ", ".join(f"{name(column)} = given.{name(column)}" for column in columns)
        statement = f"update {target} set {sets} from ({rows}) given{condition('written', step['where'])}"
    else:
        statement = f"delete from {target}{condition('written', step['where'])}"
    returning = step.get("returning", None if verb in ("insert", "upsert") else "*")
    if returning is None:
        return statement
    columns = selection(table, "t", returning, keys)
    return f"with changed as ({statement} returning written.*) {as_json(f'select {columns} from changed t')}"
