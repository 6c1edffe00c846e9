//! What stands between the parentheses.

use opendyn_codegen::{Options, Unchecked};
use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Error, LitBool, LitStr, Token, braced, bracketed};

use crate::locate;

pub(crate) struct Input {
    pub(crate) path: LitStr,
    pub(crate) options: Options,
    pub(crate) debug: bool,
    pub(crate) show_warnings: bool,
}

const OPTIONS: &str = "name, rename, optional, strip_prefix, unchecked, check, warnings, debug";

impl Parse for Input {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if !input.peek(LitStr) {
            return Err(input.error("expected the path of an OpenDyn document, such as \"calc.json\""));
        }
        let mut parsed =
            Self { path: input.parse()?, options: Options::default(), debug: false, show_warnings: false };
        let mut seen: Vec<Ident> = Vec::new();
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            if input.is_empty() {
                break;
            }
            let option = input.call(Ident::parse_any)?;
            if seen.contains(&option) {
                return Err(Error::new(option.span(), format!("`{option}` is given twice")));
            }
            input.parse::<Token![=]>()?;
            parsed.option(&option, input)?;
            seen.push(option);
        }
        Ok(parsed)
    }
}

impl Input {
    fn option(&mut self, option: &Ident, input: ParseStream<'_>) -> syn::Result<()> {
        match option.to_string().as_str() {
            "name" => self.options.name = Some(name(input)?),
            "rename" => {
                let entries;
                braced!(entries in input);
                for Rename { function, method } in
                    Punctuated::<Rename, Token![,]>::parse_terminated(&entries)?
                {
                    self.options.rename.insert(function, method);
                }
            }
            "optional" => {
                let names;
                bracketed!(names in input);
                self.options.optional = Punctuated::<Name, Token![,]>::parse_terminated(&names)?
                    .into_iter()
                    .map(|name| name.0)
                    .collect();
            }
            "strip_prefix" => self.options.strip_prefix = Some(input.parse::<LitStr>()?.value()),
            "unchecked" => {
                self.options.unchecked =
                    choice(input, &[("refuse", Unchecked::Refuse), ("allow", Unchecked::Allow)])?;
            }
            "check" => self.options.check_library = Some(locate::library(&input.parse::<LitStr>()?)),
            "warnings" => self.show_warnings = choice(input, &[("hide", false), ("show", true)])?,
            "debug" => self.debug = input.parse::<LitBool>()?.value,
            other => {
                return Err(Error::new(
                    option.span(),
                    format!("unknown option `{other}`; the options are {OPTIONS}"),
                ));
            }
        }
        Ok(())
    }
}

/// A name as an identifier or, where it is none, as a string.
struct Name(String);

impl Parse for Name {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        name(input).map(Self)
    }
}

fn name(input: ParseStream<'_>) -> syn::Result<String> {
    if input.peek(LitStr) {
        return Ok(input.parse::<LitStr>()?.value());
    }
    let ident = input.call(Ident::parse_any);
    ident
        .map(|ident| ident.unraw().to_string())
        .map_err(|error| Error::new(error.span(), "expected a name, such as `Calc`"))
}

/// `"get-x" = get_x`
struct Rename {
    function: String,
    method: String,
}

impl Parse for Rename {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let function = name(input)?;
        input.parse::<Token![=]>()?;
        Ok(Self { function, method: name(input)? })
    }
}

fn choice<T: Copy>(input: ParseStream<'_>, choices: &[(&str, T)]) -> syn::Result<T> {
    let word = input.call(Ident::parse_any)?;
    choices.iter().find(|(name, _)| word == name).map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<String> = choices.iter().map(|(name, _)| format!("`{name}`")).collect();
        Error::new(word.span(), format!("expected {}", names.join(" or ")))
    })
}
