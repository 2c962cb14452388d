//! Notes that others name, and notes in which people link them, so that a generated vault teaches how people link
//! here; and what mentions them: prose, items, tables, zones.

use proptest::{collection::vec, prelude::*, sample::select};

/// Notes to be named, each with its frontmatter.
const NAMED: [(&str, &str); 10] = [
    ("topics/redis.md", ""),
    ("topics/harbour plan.md", ""),
    ("topics/sprint-planning.md", "---\ntitle: Sprint Planning\n---\n"),
    ("topics/tide_mill.md", "---\naliases: [Old Mill]\n---\n"),
    ("topics/WHO.md", "---\nautolink: true\n---\n"),
    ("topics/知识管理.md", "---\nautolink: true\n---\n"),
    ("topics/deep/ключ.md", "---\naliases: the lock\n---\n"),
    ("topics/queue.md", ""),
    ("topics/a/apple.md", "---\ntitle: Red Apple\n---\n"),
    ("topics/b/apple.md", ""),
];

/// Links as people make them to these notes.
const LINKS: [&str; 8] = [
    "[[redis]]",
    "[[redis|Redis]]",
    "[[harbour plan]]",
    "[[sprint-planning|Sprint Planning]]",
    "[[tide_mill|Old Mill]]",
    "[[ключ]]",
    "[the lock](../topics/deep/ключ.md)",
    "[[a/apple|Red Apple]]",
];

/// Sentences in which they do.
const SENTENCES: [&str; 8] = [
    "On Monday № was empty again.",
    "Ask the night watch about № first.",
    "The queue for № was long.",
    "- 2026-10-02: № is full",
    "> №, they said, and the harbour plan.",
    "Nobody has seen №.",
    "We keep № in the cellar, WHO says so.",
    "Then № moved.",
];

/// Words that name these notes, as they stand in a text, and such that only look so.
const MENTIONS: [&str; 14] = [
    "Redis",
    "redis",
    "the harbour plan",
    "Harbour Plan's",
    "Sprint Planning",
    "sprint planning",
    "Old Mill",
    "WHO",
    "个人知识管理很重要",
    "ключ",
    "the lock",
    "Red Apple",
    "**Redis**",
    "redis-cli",
];

/// Path and text of the notes that are named, and of those that link them.
pub fn notes() -> impl Strategy<Value = Vec<(String, String)>> {
    let named = vec(any::<u8>(), NAMED.len()).prop_map(|chances| {
        let there = NAMED.iter().zip(chances).filter(|(_, chance)| *chance < 220);
        there
            .map(|((path, front), _)| ((*path).to_owned(), format!("{front}About it.\n")))
            .collect::<Vec<_>>()
    });
    let line = (select(SENTENCES.to_vec()), select(LINKS.to_vec()));
    let linking = vec(vec(line.prop_map(|(text, link)| text.replace('№', link)), 1..4), 0..14);
    (named, linking, vec(mentioning(), 0..5)).prop_map(|(named, linking, mentioning)| {
        let path = |folder: &str, n: usize| format!("{folder}/{n}.md");
        let linking =
            linking.iter().enumerate().map(|(n, lines)| (path("diary", n), lines.join("\n\n") + "\n"));
        let mentioning = mentioning.into_iter().enumerate().map(|(n, text)| (path("plain", n), text));
        named.into_iter().chain(linking).chain(mentioning).collect()
    })
}

/// One mention.
pub fn mention() -> impl Strategy<Value = &'static str> {
    select(MENTIONS.to_vec())
}

/// A block that mentions some notes: a sentence, a table, a quote, a zone that only grows, code beside it.
pub fn block() -> impl Strategy<Value = String> {
    let form = select(vec![
        "\nWe saw № and ¤ there.\n\n",
        "\n| what | who |\n|---|---|\n| № | ¤ |\n| ¤ | x |\n\n",
        "\n> № and `¤`\n\n",
        "\n## NOW\n\n№ first, then ¤.\n\n",
        "\n## Chronicle\n\n- 2026-09-01: № and ¤\n\n",
        "\n%% № %% ¤ <!-- № -->\n\n",
        "\n№\r¤ and №\r\rmore\n\n",
        "\nSee [№](https://example.org), then ¤.\n\n",
    ]);
    (form, mention(), mention()).prop_map(|(form, one, other)| form.replace('№', one).replace('¤', other))
}

/// A note of such blocks, with LF, CRLF or lone CR at its line ends.
fn mentioning() -> impl Strategy<Value = String> {
    (vec(block(), 1..5), select(vec!["\n", "\n", "\r\n", "\r"]))
        .prop_map(|(blocks, end)| blocks.concat().replace('\n', end))
}
