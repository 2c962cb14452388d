//! Numbers that only make sense together: each limit with its low-water mark, and the chances of links.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use crate::error::ConfigError;
use crate::layers::Origin;
use crate::reading::Setting;

/// Each low-water mark with the limit it lies below.
const PAIRS: [(&str, &str); 2] =
    [("trim.keep_lines", "trim.max_lines"), ("trim.keep_bytes", "trim.max_bytes")];

/// Moves a mark that nobody set along with its limit, and refuses one that is not below it.
pub(crate) fn settle(settings: &mut BTreeMap<&'static str, Setting>) -> Vec<ConfigError> {
    let mut errors = Vec::new();
    for (keep, max) in PAIRS {
        let (Some(mark), Some(limit)) = (settings.get(keep), settings.get(max)) else { continue };
        let most = limit.value.as_u64().unwrap_or(u64::MAX);
        if mark.origin == Origin::Default {
            let four_fifths = (most / 5 * 4 + most % 5 * 4 / 5).max(1);
            if let Some(mark) = settings.get_mut(keep) {
                mark.value = Json::from(four_fifths);
            }
        } else if mark.value.as_u64() >= Some(most) {
            let message = format!("'{keep}' must be smaller than '{max}', which is {most}");
            errors.push(mark.error(message));
        }
    }
    errors.extend(settle_chances(settings));
    errors
}

/// Chances of links, each with the one it must not pass.
const CHANCES: [(&str, &str); 2] =
    [("relink.suggested", "relink.linked"), ("relink.steady", "relink.suggested")];

/// As above: what nobody set goes down with the chance above it.
fn settle_chances(settings: &mut BTreeMap<&'static str, Setting>) -> Option<ConfigError> {
    CHANCES.iter().find_map(|(low, high)| {
        let most = settings.get(high)?.value.as_u64()?;
        let mark = settings.get_mut(low)?;
        if mark.value.as_u64()? <= most {
            return None;
        }
        if mark.origin == Origin::Default {
            mark.value = Json::from(most);
            return None;
        }
        Some(mark.error(format!("'{low}' must be at most '{high}', which is {most}")))
    })
}

#[cfg(test)]
mod tests {
    use super::PAIRS;
    use crate::keys;

    #[test]
    fn both_pairs_exist_and_their_defaults_are_four_fifths() {
        for (keep, max) in PAIRS {
            let default = |path| keys::find(path).and_then(|key| key.default.as_u64());
            assert_eq!(default(keep).map(|n| n * 5), default(max).map(|n| n * 4), "{keep}");
            assert!(default(keep).is_some());
        }
    }
}
