//! The closed set of edits of frontmatter: which of them fit a block, and what each asks for, said here
//! without the editor.

use crate::blocks::Says;
use jobs::vault::frontmatter::{Frontmatter, Operation, ScalarStyle, Value};

/// What a value says.
pub fn says(value: &Value) -> Says {
    match value {
        Value::None => Says::Nothing,
        Value::Text(text, _) => Says::Text(text.clone()),
        Value::List(items, _) => Says::List(items.iter().map(|item| item.text.clone()).collect()),
        Value::Map(_) | Value::Other => Says::Other,
    }
}

/// Every operation that fits a key of the block, and two that bring a new one.
pub fn operations(front: &Frontmatter) -> Vec<Operation> {
    let mut all: Vec<Operation> = (0..front.keys.len()).flat_map(|key| on_key(front, key)).collect();
    let names: Vec<String> = front.keys.iter().map(|key| key.name.clone()).collect();
    let behind = |at: usize| vec![names[at].clone(), "inserted".to_owned()];
    for order in [vec![], if names.is_empty() { vec![] } else { behind(names.len() / 2) }] {
        all.push(Operation::Insert { name: "inserted".to_owned(), value: sample(names.len()), order });
    }
    all
}

fn sample(n: usize) -> String {
    const TEXTS: [&str; 8] =
        ["plain", "x: y # z", "it's \"so\"", "no", " - a", "[[Note]]", "2026-11-30", "設計, 🙂"];
    TEXTS[n % TEXTS.len()].to_owned()
}

fn on_key(front: &Frontmatter, key: usize) -> Vec<Operation> {
    let own = &front.keys[key];
    let mut all = vec![Operation::Rename { key, name: format!("renamed {key}") }];
    if front.keys[..key].iter().any(|first| first.name == own.name) {
        all.push(Operation::RemoveDuplicate { key });
    }
    let to_list = Operation::ToList { key, items: vec![sample(key), "b".to_owned()] };
    let set = Operation::Set { key, value: sample(key) };
    match &own.value {
        Value::None | Value::Text(_, ScalarStyle::Plain) => {
            all.extend([to_list, set, Operation::Quote { key }])
        }
        Value::Text(..) => all.extend([to_list, set]),
        Value::List(items, _) => all.extend(on_list(key, items.len())),
        Value::Map(_) | Value::Other => {}
    }
    all
}

fn on_list(key: usize, n_items: usize) -> Vec<Operation> {
    let mut all = vec![Operation::AddItem { key, value: sample(key) }];
    if n_items > 0 {
        all.push(Operation::SetItem { key, item: n_items / 2, value: sample(key) });
    }
    match n_items {
        0 => {}
        1 => all.push(Operation::ToScalar { key }),
        _ => all.extend([0, n_items - 1].map(|item| Operation::RemoveItem { key, item })),
    }
    all
}

/// What the keys must be after the operation, but for one that is inserted.
pub fn asked(text: &str, front: &Frontmatter, operation: &Operation) -> Vec<(String, Says)> {
    let mut keys: Vec<_> = front.keys.iter().map(|key| (key.name.clone(), says(&key.value))).collect();
    let items = |key: usize| match says(&front.keys[key].value) {
        Says::List(items) => items,
        _ => Vec::new(),
    };
    match operation {
        Operation::Set { key, value } => keys[*key].1 = Says::Text(value.clone()),
        Operation::Quote { key } => {
            let rest = text[front.keys[*key].value_span.start..].lines().next().unwrap_or_default();
            keys[*key].1 = Says::Text(rest.trim().to_owned());
        }
        Operation::Rename { key, name } => keys[*key].0.clone_from(name),
        Operation::ToList { key, items } => keys[*key].1 = Says::List(items.clone()),
        Operation::ToScalar { key } => keys[*key].1 = Says::Text(items(*key).concat()),
        Operation::SetItem { key, item, value } => {
            let mut items = items(*key);
            items[*item].clone_from(value);
            keys[*key].1 = Says::List(items);
        }
        Operation::AddItem { key, value } => {
            keys[*key].1 = Says::List([items(*key), vec![value.clone()]].concat())
        }
        Operation::RemoveItem { key, item } => {
            let mut items = items(*key);
            items.remove(*item);
            keys[*key].1 = Says::List(items);
        }
        Operation::RemoveDuplicate { key } => drop(keys.remove(*key)),
        Operation::Insert { name, value, order } => {
            let before = order.first().and_then(|first| keys.iter().rposition(|(name, _)| name == first));
            let at = before.map_or(keys.len(), |at| at + 1);
            keys.insert(at, (name.clone(), Says::Text(value.clone())));
        }
    }
    keys
}
