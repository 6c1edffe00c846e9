//! Sums of products of what a function is given, such as `8 * stride * n + 16`.

use std::cmp::Reverse;

/// The most factors of a product.
const DEGREE: usize = 3;

/// What stands for one number: an argument, the frame, how often a loop was repeated, or something that a loop changes.
pub(super) type Symbol = u8;

/// The symbols of a product, the largest first; 0 is none.
type Product = [Symbol; DEGREE];

/// The products with their factors, in order, none of which is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Polynomial(Vec<(Product, i64)>);

impl Polynomial {
    pub(super) fn constant(number: i64) -> Self {
        Self(if number == 0 { Vec::new() } else { vec![([0; DEGREE], number)] })
    }

    pub(super) fn symbol(symbol: Symbol) -> Self {
        let mut product = [0; DEGREE];
        product[0] = symbol;
        Self(vec![(product, 1)])
    }

    pub(super) fn as_constant(&self) -> Option<i64> {
        match self.0.as_slice() {
            [] => Some(0),
            [(product, number)] if *product == [0; DEGREE] => Some(*number),
            _ => None,
        }
    }

    fn add(&mut self, product: Product, factor: i64) -> Option<()> {
        match self.0.binary_search_by_key(&product, |(of, _)| *of) {
            Ok(at) => {
                self.0[at].1 = self.0[at].1.checked_add(factor)?;
                if self.0[at].1 == 0 {
                    self.0.remove(at);
                }
            }
            Err(at) if factor != 0 => self.0.insert(at, (product, factor)),
            Err(_) => {}
        }
        Some(())
    }

    pub(super) fn plus(&self, other: &Self) -> Option<Self> {
        let mut sum = self.clone();
        for (product, factor) in &other.0 {
            sum.add(*product, *factor)?;
        }
        Some(sum)
    }

    pub(super) fn minus(&self, other: &Self) -> Option<Self> {
        self.plus(&other.times(&Self::constant(-1))?)
    }

    pub(super) fn times(&self, other: &Self) -> Option<Self> {
        let mut all = Self::default();
        for (one, factor) in &self.0 {
            for (two, by) in &other.0 {
                let mut symbols: Vec<Symbol> = one.iter().chain(two).copied().filter(|of| *of != 0).collect();
                symbols.sort_unstable_by_key(|of| Reverse(*of));
                let mut product = [0; DEGREE];
                product.get_mut(..symbols.len())?.copy_from_slice(&symbols);
                all.add(product, factor.checked_mul(*by)?)?;
            }
        }
        Some(all)
    }

    /// Divided by a number, if nothing remains.
    pub(super) fn divided(&self, by: i64) -> Option<Self> {
        let divided = self.0.iter().map(|(product, factor)| {
            (factor.checked_rem(by)? == 0).then_some((*product, factor.checked_div(by)?))
        });
        divided.collect::<Option<_>>().map(Self)
    }

    pub(super) fn has(&self, symbol: Symbol) -> bool {
        self.0.iter().any(|(product, _)| product.contains(&symbol))
    }

    pub(super) fn has_any(&self, is: impl Fn(Symbol) -> bool) -> bool {
        self.0.iter().any(|(product, _)| product.iter().any(|of| *of != 0 && is(*of)))
    }

    /// The factor of a symbol that is in no other product.
    pub(super) fn factor(&self, symbol: Symbol) -> Option<i64> {
        let mut alone = [0; DEGREE];
        alone[0] = symbol;
        let mut factors = self.0.iter().filter(|(product, _)| product.contains(&symbol));
        match (factors.next(), factors.next()) {
            (None, _) => Some(0),
            (Some((product, factor)), None) if *product == alone => Some(*factor),
            _ => None,
        }
    }

    /// With something else in the place of a symbol.
    pub(super) fn with(&self, symbol: Symbol, value: &Self) -> Option<Self> {
        let mut all = Self::default();
        for (product, factor) in &self.0 {
            let mut one = Self::constant(*factor);
            for of in product.iter().filter(|of| **of != 0) {
                one = if *of == symbol { one.times(value)? } else { one.times(&Self::symbol(*of))? };
            }
            all = all.plus(&one)?;
        }
        Some(all)
    }

    /// With something else in the place of each symbol.
    pub(super) fn with_all<'v>(&self, value: impl Fn(Symbol) -> Option<&'v Self>) -> Option<Self> {
        let mut all = Self::default();
        for (product, factor) in &self.0 {
            let mut one = Self::constant(*factor);
            for of in product.iter().filter(|of| **of != 0) {
                one = one.times(value(*of)?)?;
            }
            all = all.plus(&one)?;
        }
        Some(all)
    }

    /// The least or the most that it is, where a symbol is between 0 and `most`, and no symbol is less than 0; `None` if that
    /// is not plain.
    pub(super) fn limit(&self, symbol: Symbol, most: &Self, is_most: bool) -> Option<Self> {
        let signs: Vec<bool> =
            self.0.iter().filter(|(product, _)| product.contains(&symbol)).map(|(_, of)| *of > 0).collect();
        let is_growing = *signs.first().unwrap_or(&true);
        if signs.iter().any(|sign| *sign != is_growing) {
            return None;
        }
        if is_growing == is_most { self.with(symbol, most) } else { self.with(symbol, &Self::default()) }
    }

    /// Whether it is never less than 0, as no symbol is.
    pub(super) fn is_natural(&self) -> bool {
        self.0.iter().all(|(_, factor)| *factor > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(symbol: Symbol) -> Polynomial {
        Polynomial::symbol(symbol)
    }

    #[test]
    fn products_are_multiplied_and_added() {
        let sum = of(1).plus(&Polynomial::constant(-1)).expect("it is small");
        let product = sum.times(&of(2)).expect("two factors");
        assert_eq!(product, of(1).times(&of(2)).expect("two").minus(&of(2)).expect("one"));
        assert_eq!(product.with(1, &Polynomial::constant(1)), Some(Polynomial::default()));
        assert_eq!(product.minus(&product), Some(Polynomial::default()));
        assert!(!product.is_natural() && of(2).is_natural());
        assert!(product.times(&product).is_none());
        assert_eq!(Polynomial::constant(12).divided(8), None);
        assert_eq!((sum.factor(1), product.factor(2), product.factor(3)), (Some(1), None, Some(0)));
    }

    #[test]
    fn the_most_is_where_what_grows_is_largest() {
        let last = of(1).plus(&Polynomial::constant(-1)).expect("it is small");
        let up = of(9).times(&of(2)).expect("two factors");
        assert_eq!(up.limit(9, &last, true), last.times(&of(2)));
        assert_eq!(up.limit(9, &last, false), Some(Polynomial::default()));
        let down = of(2).minus(&of(9)).expect("it is small");
        assert_eq!(down.limit(9, &last, true), Some(of(2)));
        assert_eq!(up.minus(&of(9)).expect("it is small").limit(9, &last, true), None);
    }
}
