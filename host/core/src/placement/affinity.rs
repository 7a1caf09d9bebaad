//! Required node affinity: terms of which one must match, each of requirements that must all hold.

use std::fmt;

use super::NodeFacts;

/// `requiredDuringSchedulingIgnoredDuringExecution` of a node affinity.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NodeAffinity {
    /// The terms; one must match. Without terms no node matches.
    pub terms: Vec<NodeSelectorTerm>,
}

/// One term of a node affinity; a term without requirements matches no node.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NodeSelectorTerm {
    /// Requirements on labels; all must hold.
    pub match_expressions: Vec<NodeRequirement>,
    /// Requirements on fields; all must hold. The API knows only the field `metadata.name`.
    pub match_fields: Vec<NodeRequirement>,
}

/// A requirement on one label or field of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeRequirement {
    /// The label or field.
    pub key: String,
    /// How it is compared.
    pub operator: Operator,
    /// What it is compared with; empty for `Exists` and `DoesNotExist`.
    pub values: Vec<String>,
}

/// How a requirement compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// The value is one of those listed.
    In,
    /// The value is none of those listed; also true without the label.
    NotIn,
    /// The label is there.
    Exists,
    /// The label is not there.
    DoesNotExist,
    /// The value, as an integer, is greater than the only one listed.
    Gt,
    /// The value, as an integer, is less than the only one listed.
    Lt,
}

impl Operator {
    /// Every operator, as it is written.
    pub const NAMES: [&'static str; 6] = ["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"];

    /// Returns the operator that is written so; the case matters, as in Kubernetes.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "In" => Self::In,
            "NotIn" => Self::NotIn,
            "Exists" => Self::Exists,
            "DoesNotExist" => Self::DoesNotExist,
            "Gt" => Self::Gt,
            "Lt" => Self::Lt,
            _ => return None,
        })
    }
}

impl NodeAffinity {
    /// Checks whether one of the terms matches.
    ///
    /// # Errors
    ///
    /// The first requirement of each term that does not hold.
    pub(super) fn check(&self, node: &NodeFacts) -> Result<(), Vec<NodeRequirement>> {
        let mut unmet = Vec::new();
        for term in self.terms.iter().filter(|term| !term.is_empty()) {
            match term.first_unmet(node) {
                None => return Ok(()),
                Some(requirement) => unmet.push(requirement.clone()),
            }
        }
        Err(unmet)
    }
}

impl NodeSelectorTerm {
    fn is_empty(&self) -> bool {
        self.match_expressions.is_empty() && self.match_fields.is_empty()
    }

    fn first_unmet(&self, node: &NodeFacts) -> Option<&NodeRequirement> {
        let label = |key: &str| node.labels.get(key).map(String::as_str);
        let field = |key: &str| (key == "metadata.name").then_some(node.name.as_str());
        let expression = self.match_expressions.iter().find(|requirement| !requirement.holds(label(&requirement.key)));
        expression.or_else(|| self.match_fields.iter().find(|requirement| !requirement.holds(field(&requirement.key))))
    }
}

impl NodeRequirement {
    fn holds(&self, value: Option<&str>) -> bool {
        let listed = |value: &str| self.values.iter().any(|candidate| candidate == value);
        match self.operator {
            Operator::In => value.is_some_and(listed),
            Operator::NotIn => !value.is_some_and(listed),
            Operator::Exists => value.is_some(),
            Operator::DoesNotExist => value.is_none(),
            Operator::Gt => self.numbers(value).is_some_and(|(value, bound)| value > bound),
            Operator::Lt => self.numbers(value).is_some_and(|(value, bound)| value < bound),
        }
    }

    /// Returns the node's value and the bound; `None`, which never holds, where one of them is no integer.
    fn numbers(&self, value: Option<&str>) -> Option<(i64, i64)> {
        let [bound] = self.values.as_slice() else { return None };
        Some((value?.parse().ok()?, bound.parse().ok()?))
    }
}

/// As an operator would say it, such as `zone in (a, b)` or `cores > 4`.
impl fmt::Display for NodeRequirement {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, operator, values } = self;
        let values = values.join(", ");
        match operator {
            Operator::In => write!(formatter, "{key} in ({values})"),
            Operator::NotIn => write!(formatter, "{key} notin ({values})"),
            Operator::Exists => formatter.write_str(key),
            Operator::DoesNotExist => write!(formatter, "!{key}"),
            Operator::Gt => write!(formatter, "{key} > {values}"),
            Operator::Lt => write!(formatter, "{key} < {values}"),
        }
    }
}
