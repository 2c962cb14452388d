//! Every kind of protected span as people write it, with some words inside of it; and kinds inside of kinds, wherever
//! the inner one does not end the outer one.

use std::collections::BTreeSet;

/// A way to write a protected span; `№` stands where the words are.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    pub name: &'static str,
    form: &'static str,
    /// Texts that end it early, or that it cannot hold: no kind that has one goes inside.
    ends: &'static [&'static str],
    /// It holds a word without blanks only.
    is_narrow: bool,
}

const fn wide(name: &'static str, form: &'static str, ends: &'static [&'static str]) -> Kind {
    Kind { name, form, ends, is_narrow: false }
}

const fn narrow(name: &'static str, form: &'static str) -> Kind {
    Kind { name, form, ends: &[], is_narrow: true }
}

/// Kinds that stand inside a line.
const INLINE: [Kind; 29] = [
    wide("code", "`x № y`", &["`"]),
    wide("code of two ticks", "`` x №`y ``", &["``"]),
    wide("code of four ticks", "```` x № y ````", &["````"]),
    wide("math", "$x № y$", &["$"]),
    wide("math between two signs", "$$x № y$$", &["$"]),
    wide("comment", "%%x № y%%", &["%%"]),
    wide("HTML comment", "<!-- x № y -->", &["--"]),
    wide("attribute", "<b title=\"x № y\">z</b>", &["\""]),
    wide("attribute in single quotes", "<i title='x № y'/>", &["'"]),
    wide("wikilink", "[[№ and more]]", &["[", "]", "|", "#", "^"]),
    wide("words of a wikilink", "[[other|x № y]]", &["[", "]", "|"]),
    wide("heading in a wikilink", "[[other#№]]", &["[", "]", "|", "#", "^"]),
    wide("embed", "![[№.png]]", &["[", "]", "|", "#", "^"]),
    wide("size of an embed", "![[other|x № y]]", &["[", "]", "|"]),
    wide("words of a link", "[x № y](https://x.example/z)", &["[", "]"]),
    wide("title of a link", "[x](https://x.example/z \"№ y\")", &["\"", "[", "]"]),
    wide("address of a link", "[x](<https://x.example/№>)", &["<", ">", "[", "]"]),
    wide("image", "![x № y](https://x.example/z.png)", &["[", "]"]),
    wide("words of a reference", "[x № y][ref]", &["[", "]"]),
    wide("reference", "[x][№]", &["[", "]"]),
    wide("template", "{{ x № y }}", &["}}"]),
    wide("template code", "<% x № y %>", &["%>"]),
    narrow("attribute without quotes", "<b data-x=№>z</b>"),
    narrow("autolink", "<https://x.example/№>"),
    narrow("address", "https://x.example/№?№=№#№"),
    narrow("e-mail", "№@№.example"),
    narrow("tag", "#№ #x/№ #№/y"),
    narrow("footnote mark", "[^№]"),
    narrow("word behind a caret", "^№"),
];

/// Kinds that are whole lines.
const BLOCK: [Kind; 29] = [
    wide("fence", "```sh\nx № y\n```\n", &["```"]),
    wide("words of a fence", "```sh №\nx\n```\n", &["`", "\n"]),
    wide("fence of four ticks", "````\n```\n№\n```\nx № y\n````\n", &["````"]),
    wide("tilde fence", "~~~ №\nx № y\n~~~\n", &["~~~"]),
    wide("executable fence", "```dataview\nLIST FROM № WHERE №\n```\n", &["```"]),
    wide("indented code", "    x № y\n", &[]),
    wide("code by a tab", "\tx № y\n", &[]),
    wide("math block", "$$\nx № y\n$$\n", &["$"]),
    wide("comment block", "%%\nx № y\n\n№\n%%\n", &["%%"]),
    wide("HTML comment block", "<!--\nx № y\n\n№\n-->\n", &["--"]),
    wide("HTML block", "<div class=\"№\">\nx № y\n</div>\n", &["\"", "\n\n"]),
    wide("HTML of a details block", "<details>\n<summary>№</summary>\nx № y\n</details>\n", &["\n\n"]),
    wide("heading", "## x № y\n", &["\n"]),
    wide("underlined heading", "x № y\n=====\n", &["\n"]),
    wide("definition", "[№]: https://x.example/z \"№\"\n", &["\"", "[", "]", "\n"]),
    narrow("address of a definition", "[z]: https://x.example/№\n"),
    narrow("footnote", "[^№]: x y z\n"),
    narrow("block id", "x y z ^№\n"),
    narrow("block id below", "| x |\n|---|\n| y |\n\n^№\n"),
    wide("field", "№:: x y z\n", &["\n", "`", "[", "]", "<", "%", "$", "{", "#", "http", "!", "(", ":", "@"]),
    wide(
        "field in brackets",
        "x [№:: y] z\n",
        &["\n", "`", "[", "]", "<", "%", "$", "{", "#", "!", "(", ":", "@"],
    ),
    wide(
        "field in round brackets",
        "x (№:: y) z\n",
        &["\n", "`", "[", "]", "<", "%", "$", "{", "#", "!", ")", ":", "@"],
    ),
    wide("template over lines", "<%*\nx № y\n%>\n", &["%>"]),
    wide("code in an item", "- x\n\n  ```\n  № y\n  ```\n", &["```", "\n"]),
    wide("indented code in an item", "- x\n\n      № y\n", &["\n"]),
    wide("heading in an item", "- # № y\n", &["\n"]),
    wide("fence in a quote", "> ```\n> № y\n> ```\n", &["```", "\n"]),
    wide("heading in a callout", "> [!note] x\n> ## № y\n", &["\n"]),
    wide("indented code in a quote", "> x\n>\n>     № y\n", &["\n"]),
];

/// Blocks that hold others, as what stands before the first line and before each other one.
const HOLDERS: [(&str, &str, &str); 4] = [
    ("quote", "> ", "> "),
    ("item", "- ", "  "),
    ("item in a quote", "> 1. ", ">    "),
    ("callout", "> [!tip]- x\n>\n> ", "> "),
];

/// A span with words inside.
#[derive(Clone, Debug)]
pub struct Placed {
    pub says: String,
    /// It stands inside a line; else it is whole lines.
    pub is_inline: bool,
    pub text: String,
}

impl Kind {
    fn with(&self, words: &str) -> String {
        self.form.replace('№', words)
    }

    /// True where `words` can stand inside without ending it.
    fn holds(&self, words: &str) -> bool {
        let is_one = words.chars().all(char::is_alphanumeric);
        (is_one || !self.is_narrow) && !self.ends.iter().any(|end| words.contains(end))
    }

    fn around(&self, inner: &Placed, is_inline: bool) -> Option<Placed> {
        let says = format!("{} in {}", inner.says, self.name);
        let words = inner.text.trim_end_matches('\n');
        self.holds(words).then(|| Placed { says, is_inline, text: self.with(words) })
    }
}

/// Every kind with `words` inside, where it can hold them.
pub fn single(words: &str) -> Vec<Placed> {
    let plain = Placed { says: format!("'{words}'"), is_inline: true, text: words.to_owned() };
    wrapped(&[plain])
}

/// Every kind around each of `inner`, where it can hold it: what stands inside a line in all kinds, whole lines in
/// kinds that hold lines.
pub fn wrapped(inner: &[Placed]) -> Vec<Placed> {
    let lines = inner.iter().filter(|one| one.is_inline);
    let inline = lines.flat_map(|one| INLINE.iter().filter_map(|kind| kind.around(one, true)));
    // Lines of a block stand at the start of a line in the outer one: those forms have `№` elsewhere too.
    let is_plain = |kind: &&Kind, one: &Placed| one.is_inline || OPEN.contains(&kind.name);
    let block = inner.iter().flat_map(|one| {
        let kinds = BLOCK.iter().filter(move |kind| is_plain(kind, one));
        let own = kinds
            .filter_map(|kind| if one.is_inline { kind.around(one, false) } else { lines_in(kind, one) });
        own.collect::<Vec<_>>()
    });
    let held = inner.iter().filter(|one| !one.is_inline).flat_map(held);
    inline.chain(block).chain(held).collect()
}

/// Kinds into which whole lines go.
const OPEN: [&str; 6] = [
    "fence of four ticks",
    "tilde fence",
    "math block",
    "comment block",
    "HTML comment block",
    "template over lines",
];

/// Whole lines as the inside of a kind that holds lines.
fn lines_in(kind: &Kind, inner: &Placed) -> Option<Placed> {
    let (first, rest) = kind.form.split_once('\n')?;
    let last = rest.trim_end_matches('\n').rsplit('\n').next()?;
    let first = first.replace('№', "x");
    let says = format!("{} in {}", inner.says, kind.name);
    let text = format!("{first}\n{}{last}\n", inner.text);
    kind.holds(&inner.text).then_some(Placed { says, is_inline: false, text })
}

/// Whole lines in quotes and items.
fn held(inner: &Placed) -> Vec<Placed> {
    // A tab behind a mark of a quote is less than a tab.
    let has_tab = inner.text.contains('\t');
    let of = |(name, first, rest): &(&str, &str, &str)| {
        let mut text = String::new();
        for (n, line) in inner.text.split_inclusive('\n').enumerate() {
            let lead = if n == 0 { first } else { rest };
            text.push_str(if line.trim().is_empty() { lead.trim_end() } else { lead });
            text.push_str(line);
        }
        Placed { says: format!("{} in {name}", inner.says), is_inline: false, text }
    };
    HOLDERS.iter().filter(|_| !has_tab).map(of).collect()
}

/// How many kinds there are, each once.
pub fn n_kinds() -> usize {
    INLINE.iter().chain(&BLOCK).map(|kind| kind.name).collect::<BTreeSet<_>>().len()
}
