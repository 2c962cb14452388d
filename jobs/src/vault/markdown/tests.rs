//! What each construct reads as, and what holds for any text at all.

use super::*;
use crate::vault::line;
use proptest::prelude::*;

fn parse(text: &str) -> Markdown {
    Markdown::parse(text, 0)
}

/// The kinds of blocks as one line: `H1 P L(I(P L(I(P))))`.
fn shape(blocks: &[Block]) -> String {
    blocks.iter().map(shape_of).collect::<Vec<_>>().join(" ")
}

fn shape_of(block: &Block) -> String {
    let name = match block.kind {
        BlockKind::Heading(level) => format!("H{level}"),
        BlockKind::Paragraph => "P".into(),
        BlockKind::List { ordered } => if ordered { "O" } else { "L" }.into(),
        BlockKind::Item { task: Some(mark) } => format!("I[{mark}]"),
        BlockKind::Item { task: None } => "I".into(),
        kind => format!("{kind:?}"),
    };
    if block.children.is_empty() { name } else { format!("{name}({})", shape(&block.children)) }
}

fn protected(text: &str) -> Vec<&str> {
    parse(text).protected.iter().map(|span| span.of(text)).collect()
}

fn top(text: &str) -> Vec<String> {
    parse(text).blocks.iter().map(|block| block.span.of(text).to_owned()).collect()
}

#[test]
fn blocks_have_their_kind() {
    for (text, wanted) in [
        ("# A\n\nB\n===\ntext\nmore\n", "H1 H1 P"),
        ("- a\n- b\n  - c\n", "L(I(P) I(P L(I(P))))"),
        ("1. a\n2) b\n", "O(I(P)) O(I(P))"),
        (
            "- [ ] a\n- [x] b\n- [/] c\n- [X]\n- [xx] d\n- [y](z)\n",
            "L(I[ ](P) I[x](P) I[/](P) I[X] I(P) I(P))",
        ),
        ("```\n# no\n", "Fence"),
        ("    code\n\n    more\n", "IndentedCode"),
        ("|a|b|\n|-|-|\n|1|2|\n", "Table"),
        ("<div>\nx\n\ny\n", "Html P"),
        ("<!-- a\n\n- b\n-->\ny\n", "HtmlComment P"),
        ("<!-- a --> b\n", "Html"),
        ("> q\n\n> [!note]- T\n> x\n", "Quote(P) Callout(P)"),
        ("$$\na\n$$\n\n$$\na\n- b\n\nc\n$$\n", "Math Math"),
        ("$$a$$ and $$b$$\n", "P"),
        ("a\n\n---\n\n[^1]: note\n\n[x]: y\n[x]: z\n", "P Rule Footnote(P) Definition"),
        ("- a\n\n  ```\n  x\n\n  ```\n\n  # h\n- b\n  |a|\n  |-|\n", "L(I(P Fence H1) I(P Table))"),
        ("- a\nlazy\n\tb\n", "L(I(P))"),
    ] {
        for text in [text.to_owned(), text.replace('\n', "\r\n"), text.replace('\n', "\r")] {
            assert_eq!(shape(&parse(&text).blocks), wanted, "{text:?}");
        }
    }
}

#[test]
fn a_comment_of_obsidian_hides_what_is_in_it() {
    for (text, wanted) in [
        ("%%\n# a\n\n- b\n%%\ntext\n", "Comment P"),
        ("a\n%%\n```\n%%\n- b\n", "P Comment L(I(P))"),
        ("%% a\n\n# b\n", "Comment"),
        ("%%a%%\n\nx\n", "Comment P"),
        ("%%a%% x\n", "P"),
        ("x %%a\nb%% y\n", "P"),
        ("50%% of it\n\n# b %%\n", "P H1"),
        ("```\n%%\n```\n\n# b\n", "Fence H1"),
        ("`%%` x\n\n# b `%%`\n", "P H1"),
        ("<!-- %% -->\n\n# b\n", "HtmlComment H1"),
        ("- %% a\n\n# b %%\n- c\n", "L(I(Comment) I(P))"),
        ("%%\n```\n%%\n\n```\n%%\n```\n\n%%\n# x\n", "Comment Fence Comment"),
        ("$$\n%%\n- a\n$$\n\n# b\n", "Math H1"),
    ] {
        assert_eq!(shape(&parse(text).blocks), wanted, "{text:?}");
    }
    let text = "a\n\n%%\n# x\n\ny\n%%\n\nb\n";
    assert_eq!(top(text), ["a\n", "%%\n# x\n\ny\n%%\n", "b\n"]);
    assert_eq!(parse(text).comments.len(), 1);
}

#[test]
fn a_comment_may_reach_beyond_its_block() {
    let text = "- a\n  <!-- b\n- c\n--> d\n";
    let markdown = parse(text);
    assert_eq!(markdown.comments.iter().map(|span| span.of(text)).collect::<Vec<_>>(), ["<!-- b\n- c\n-->"]);
}

#[test]
fn blocks_are_whole_lines_without_the_blank_lines_after_them() {
    let text = "  # A  \n\n\n- a\n\n  b\n\n\n- c\n\n\n> d\n>\n\nx";
    assert_eq!(top(text), ["  # A  \n", "- a\n\n  b\n\n\n- c\n", "> d\n>\n", "x"]);
    let markdown = parse(text);
    let items: Vec<_> = markdown.blocks[1].children.iter().map(|item| item.span.of(text)).collect();
    assert_eq!(items, ["- a\n\n  b\n", "- c\n"]);
}

#[test]
fn the_words_of_a_block_start_after_its_marks() {
    for (text, wanted) in [
        ("##  A b  ##\n", "A b"),
        ("A\nb\n---\n", "A\nb"),
        ("- [x] done *it*\n  twice\n\n  more\n", "done *it*\n  twice"),
        ("- [/] half\n", "half"),
        ("3)   three\n", "three"),
        ("- [x] loose\n\n- b\n", "loose"),
        ("- **b** c\n", "**b** c"),
    ] {
        let markdown = parse(text);
        let block = &markdown.blocks[0];
        let block = if matches!(block.kind, BlockKind::List { .. }) { &block.children[0] } else { block };
        assert_eq!(block.text.of(text), wanted, "{text:?}");
    }
}

#[test]
fn what_is_not_prose_is_protected() {
    for (text, wanted) in [
        ("a `b` c", vec!["`b`"]),
        ("$x$ costs $5 and $6", vec!["$x$"]),
        ("a <b>x</b> <a href=y>z</a>", vec!["<b>", "</b>", "<a href=y>z</a>"]),
        ("a %%b%% <!-- c --> d", vec!["%%b%%", "<!-- c -->"]),
        ("[a](b) ![c](d) [[e|f]] ![[g]]", vec!["[a](b)", "![c](d)", "[[e|f]]", "![[g]]"]),
        (
            "<http://a.b> http://c.d/e_f. (www.g.h) i@j.kl obsidian://m",
            vec!["<http://a.b>", "http://c.d/e_f", "www.g.h", "i@j.kl", "obsidian://m"],
        ),
        ("#a/b #日本語 #1 x#y (#z) #タグ-2", vec!["#a/b", "#日本語", "#z", "#タグ-2"]),
        ("a ^id-1\nb ^no c\n2^10", vec!["^id-1"]),
        ("x [^1] y [^2]\n\n[^1]: z", vec!["[^1]", "[^2]", "[^1]:"]),
        (
            "due:: soon (k:: v) [l:: w] a::b c\n- key two:: x",
            vec!["due::", "(k:: v)", "[l:: w]", "key two::"],
        ),
        ("a <% b\nc %> d {{e}} f", vec!["<% b\nc %>", "{{e}}"]),
        ("> [!tip]+ Title\n> body", vec!["[!tip]+ Title\n"]),
        ("[r] [s][r] [u]\n\n[r]: t", vec!["[r]", "[s][r]", "[r]: t"]),
        ("> a\n>\n> [r]: t\n", vec!["[r]: t"]),
        ("```\na\n```\nb\n\n    c\n", vec!["```\na\n```\n", "    c\n"]),
    ] {
        assert_eq!(protected(text), wanted, "{text:?}");
    }
}

#[test]
fn frontmatter_is_protected_and_not_read() {
    let text = "---\na: [[b]]\n---\n# c\n";
    let markdown = Markdown::parse(text, 17);
    assert_eq!(markdown.protected, [Span::new(0, 17)]);
    assert!(markdown.links.is_empty());
    assert_eq!(markdown.blocks[0].span, Span::new(17, 21));
}

#[test]
fn links_say_where_they_lead() {
    let text = "[[A b#C|d]] ![[e.png]] [f](g%20h.md#i 'j') [k](<l m.md>) [n]\n\n[n]: o.md\n\n|x|\n|-|\n|[[p\\|q]]|\n";
    let markdown = parse(text);
    let links: Vec<_> = markdown
        .links
        .iter()
        .map(|link| (link.kind, &*link.target, link.fragment.as_deref(), link.shown.of(text)))
        .collect();
    assert_eq!(
        links,
        [
            (LinkKind::Wiki, "A b", Some("C"), "d"),
            (LinkKind::Embed, "e.png", None, "e.png"),
            (LinkKind::Inline, "g h.md", Some("i"), "f"),
            (LinkKind::Inline, "l m.md", None, "k"),
            (LinkKind::Inline, "o.md", None, "n"),
            (LinkKind::Wiki, "p", None, "q"),
        ]
    );
}

#[test]
fn labels_say_who_needs_whom() {
    let text = "a[^X] [b][C  d]\n\n[^x]: e\n    f\n\n[c d]: g\n";
    let markdown = parse(text);
    let labels: Vec<_> = markdown
        .labels
        .iter()
        .map(|label| (label.kind, label.role, &*label.name, label.span.of(text)))
        .collect();
    assert_eq!(
        labels,
        [
            (LabelKind::Footnote, LabelRole::Uses, "x", "[^X]"),
            (LabelKind::Reference, LabelRole::Uses, "c d", "[b][C  d]"),
            (LabelKind::Footnote, LabelRole::Defines, "x", "[^x]: e\n    f\n"),
            (LabelKind::Reference, LabelRole::Defines, "c d", "[c d]: g\n"),
        ]
    );
}

#[test]
fn block_ids_are_told() {
    let text = "a ^x1\n\n- b ^y\n\n`^z`\n";
    assert_eq!(parse(text).ids.iter().map(|span| span.of(text)).collect::<Vec<_>>(), ["^x1", "^y"]);
}

#[test]
fn hostile_notes_are_read_in_linear_time() {
    let n = 40_000;
    for text in [
        "[".repeat(n),
        "[[".repeat(n),
        "> ".repeat(n),
        "- ".repeat(n),
        "[a::".repeat(n),
        "(a::".repeat(n),
        "{{".repeat(n),
        "<%".repeat(n),
        "%%".repeat(n + 1),
        "a %% ".repeat(n),
        "- %% ".repeat(n),
        "$$ ".repeat(n),
        "#".repeat(n),
        "@a".repeat(n),
        "a://".repeat(n),
        "<!-- ".repeat(n),
        "[a]: b\n".repeat(n),
        "`".repeat(n),
        "*a_".repeat(n),
        "x::\r".repeat(n),
        "long ".repeat(200_000),
        format!("{}x\n", "  ".repeat(n)),
        (0..200).map(|depth| format!("{}- a\n", "  ".repeat(depth))).collect(),
    ] {
        let markdown = parse(&text);
        assert_law(&text, 0, &markdown);
    }
}

/// What holds for any text: blocks in order, whole lines, nested, covering all but blank lines; spans on
/// character borders; protected spans sorted and apart.
fn assert_law(text: &str, body: usize, markdown: &Markdown) {
    let mut at = body;
    let mut joined = String::new();
    for block in &markdown.blocks {
        assert!(block.span.start >= at, "blocks in order: {block:?}");
        let gap = Span::new(at, block.span.start).of(text);
        assert!(
            line::each(gap, Span::new(0, gap.len())).all(|line| line::is_blank(line.of(gap))),
            "gap {gap:?}"
        );
        joined += gap;
        joined += block.span.of(text);
        at = block.span.end;
        assert_nested(text, block);
    }
    joined += &text[at..];
    assert_eq!(joined, text[body..], "blocks and gaps are the text");
    let mut end = None;
    for span in &markdown.protected {
        assert!(end.is_none_or(|end| end <= span.start) && !span.is_empty());
        assert!(text.get(span.start..span.end).is_some(), "on borders: {span:?}");
        end = Some(span.end);
    }
    for span in
        markdown.links.iter().flat_map(|link| [link.span, link.shown]).chain(markdown.ids.iter().copied())
    {
        assert!(text.get(span.start..span.end).is_some(), "on borders: {span:?}");
    }
}

fn assert_nested(text: &str, block: &Block) {
    assert!(text.get(block.span.start..block.span.end).is_some());
    assert_eq!(line::start(text, block.span.start), block.span.start, "starts a line");
    assert_eq!(line::end(text, block.span.end - 1), block.span.end, "ends a line");
    assert!(block.span.holds(block.text), "{block:?}");
    assert!(text.get(block.text.start..block.text.end).is_some());
    let mut at = block.span.start;
    for child in &block.children {
        assert!(block.span.holds(child.span), "{block:?} holds {child:?}");
        assert!(child.span.start >= at, "{child:?} starts after {at}");
        at = child.span.end;
        assert_nested(text, child);
    }
}

/// Lines that notes are made of, and the marks that trip readers.
const PIECES: &[&str] = &[
    "# Log",
    "## 2026-06-24",
    "- item",
    "  - nested",
    "- [ ] task",
    "1. one",
    "   more",
    "    code",
    "\tcode",
    "```",
    "~~~rust",
    "%%",
    "%% a %%",
    "$$",
    "$$x$$",
    "> quote",
    "> [!note] T",
    "> - q",
    ">",
    "<div>",
    "</div>",
    "<!-- c",
    "-->",
    "<!-- id: x -->",
    "|a|b|",
    "|-|-|",
    "---",
    "===",
    "***",
    "[^1]: foot",
    "[^1]",
    "[x]: y",
    "[x]",
    "[[a|b]]",
    "![[c]]",
    "[a](b)",
    "**Fixed:**",
    "text `code` #tag ^id",
    "k:: v",
    "(k:: v)",
    "{{x}}",
    "<% y",
    "%>",
    "日本語のノート",
    "Ещё текст",
    "🎉 emoji 👩‍👩‍👧",
    "e\u{301}",
    "http://a.b/c",
    "\u{feff}",
    "\u{0}",
    "\\",
    "*",
    "",
    "",
];

fn any_note() -> impl Strategy<Value = String> {
    let line = (
        proptest::sample::select(PIECES),
        proptest::sample::select(&["", " ", "\n", "\n", "\n\n", "\r\n", "\r"][..]),
    );
    prop::collection::vec(line, 0..40)
        .prop_map(|lines| lines.into_iter().map(|(piece, end)| format!("{piece}{end}")).collect())
}

#[test]
fn a_list_in_a_list_has_no_line_of_its_brother() {
    let text = "* (\n\t*\t!";
    assert_law(text, 0, &parse(text));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_reads_as_ordered_nested_whole_lines(text in any_note()) {
        assert_law(&text, 0, &parse(&text));
    }

    #[test]
    fn any_characters_read_as_something(text in "[-#>*`~%$<>!|\\[\\]():^= \t\r\na日é🎉]{0,60}") {
        assert_law(&text, 0, &parse(&text));
    }

    #[test]
    fn a_body_reads_alike_wherever_it_starts(text in any_note()) {
        let shifted = format!("---\na: b\n---\n{text}");
        let markdown = Markdown::parse(&shifted, 13);
        assert_law(&shifted, 13, &markdown);
        prop_assert_eq!(shape(&markdown.blocks), shape(&parse(&text).blocks));
    }
}
