//! SQL of a small grammar: about the table `t` that every database gets, with rows that are few and values that are
//! short, so that no statement runs for long. No statement names a file.

use super::choices::Choices;

/// What a new database is given.
pub const SETUP: &str = "create table if not exists t(a integer primary key, b text, c blob); \
     insert into t(b, c) values('one', x'00ff'), (2, zeroblob(9)), (null, 2.5);";

const PARAMETERS: [&str; 5] = ["?", "?1", ":a", "@b", "$c"];

const FUNCTIONS: [&str; 12] = [
    "length",
    "hex",
    "abs",
    "upper",
    "quote",
    "typeof",
    "trim",
    "unicode",
    "soundex",
    "json_array",
    "json",
    "count",
];

const OPERATORS: [&str; 12] = ["+", "-", "*", "/", "%", "||", "=", "<", "and", "is", "like", "collate c <"];

const PRAGMAS: [&str; 14] = [
    "user_version",
    "user_version=7",
    "page_size=512",
    "journal_mode=wal",
    "journal_mode=memory",
    "journal_mode=off",
    "cache_size=2",
    "integrity_check",
    "encoding='UTF-16'",
    "auto_vacuum=1",
    "incremental_vacuum",
    "table_info(t)",
    "locking_mode=exclusive",
    "temp_store=memory",
];

const FIXED: [&str; 27] = [
    "begin",
    "begin immediate",
    "commit",
    "rollback",
    "savepoint s",
    "release s",
    "rollback to s",
    "create index if not exists i on t(b)",
    "drop index if exists i",
    "reindex",
    "analyze",
    "vacuum",
    "attach ':memory:' as aux",
    "detach aux",
    "create table if not exists u as select * from t",
    "drop table if exists u",
    "alter table t add column d default 5",
    "create view if not exists v as select b from t",
    "select * from v",
    "create trigger if not exists g after insert on t begin update t set b = new.a where a = 1; end",
    "create temp table if not exists w(x unique, y check(y > 0))",
    "create virtual table if not exists f using fts5(x)",
    "select name, sql from sqlite_schema",
    "select t.a, x.b from t left join t as x on t.a = x.a limit 9",
    "",
    ";;",
    "-- nothing",
];

/// One statement, or up to three.
pub fn script(choices: &mut Choices<'_>) -> String {
    let count = 1 + choices.below(4) % 3;
    (0..count).map(|_| statement(choices)).collect::<Vec<_>>().join("; ")
}

fn statement(choices: &mut Choices<'_>) -> String {
    match choices.below(16) {
        0 | 1 => "select a, b, c from t".to_owned(),
        2 => format!("select {} from t", expression(choices, 3)),
        3 => format!("select {}, {}", expression(choices, 3), expression(choices, 2)),
        4 => format!("select * from t where {} order by {}", expression(choices, 3), 1 + choices.below(4)),
        5 | 6 => {
            format!("insert into t(b, c) values({}, {})", expression(choices, 2), expression(choices, 2))
        }
        7 => format!("update t set b = {} where a = {}", expression(choices, 3), choices.below(5)),
        8 => format!("delete from t where a = {}", expression(choices, 1)),
        9 => format!(
            "with recursive n(x) as (select 1 union all select x + 1 from n limit {}) select x, {} from n",
            choices.below(200),
            expression(choices, 1)
        ),
        10 => format!("explain select {} from t", expression(choices, 2)),
        11 => format!("select b, count(*), group_concat(c) from t group by {}", expression(choices, 1)),
        12 => format!("pragma {}", choices.one_of(&PRAGMAS)),
        13 => format!("select {} from t /* {}", expression(choices, 1), text(choices)),
        14 => text(choices),
        _ => (*choices.one_of(&FIXED)).to_owned(),
    }
}

fn expression(choices: &mut Choices<'_>, depth: usize) -> String {
    let kinds = if depth == 0 { 7 } else { 13 };
    match choices.below(kinds) {
        0 => (*choices.one_of(&["a", "b", "c"])).to_owned(),
        1 => (*choices.one_of(&["0", "1", "-1", "2147483648", "9223372036854775807"])).to_owned(),
        2 => (*choices.one_of(&["0.5", "1e308", "-0.0", "1e-320"])).to_owned(),
        3 => format!("'{}'", text(choices).replace('\'', "''")),
        4 => (*choices.one_of(&["null", "x''", "x'c3a9'", "x'ff00fe'", "true"])).to_owned(),
        5 => (*choices.one_of(&PARAMETERS)).to_owned(),
        6 => format!("zeroblob({})", choices.below(32)),
        7 | 8 => format!(
            "({} {} {})",
            expression(choices, depth - 1),
            choices.one_of(&OPERATORS),
            expression(choices, depth - 1)
        ),
        9 => format!("{}({})", choices.one_of(&FUNCTIONS), expression(choices, depth - 1)),
        10 => format!(
            "substr({}, {}, {})",
            expression(choices, depth - 1),
            expression(choices, 0),
            expression(choices, 0)
        ),
        11 => format!(
            "cast({} as {})",
            expression(choices, depth - 1),
            choices.one_of(&["text", "blob", "int"])
        ),
        _ => format!(
            "case when {} then {} end",
            expression(choices, depth - 1),
            expression(choices, depth - 1)
        ),
    }
}

/// Words, and now and then what is not one: without NUL, which no `char*` can have.
pub fn text(choices: &mut Choices<'_>) -> String {
    if choices.rarely(3) {
        return String::from_utf8_lossy(choices.bytes(24)).replace('\0', "");
    }
    (*choices.one_of(&[
        "",
        "a",
        "one",
        "é",
        "select",
        "t",
        "%",
        "2",
        "\u{1f600}",
        "a longer text, of some words",
    ]))
    .to_owned()
}
