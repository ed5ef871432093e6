//! Tokens that are signed with RSA, and its public key as if it were a secret.

use std::sync::atomic::Ordering;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;
use serde_json::json;

use super::identity::{Issuer, claims, encoded, get, mac, serving, token_by};
use crate::harness::Scratch;

/// A public key whose private half was thrown away: its modulus, and the key as DER.
const MODULUS: &str = "\
     v4A3i8-ofwTbFIWuoGwGn-8fMPlVErw5i8WsDDUtbB0ywGapqOjrPl-oFbIy5iqL5n0gLlShE1RbhZswjVN9FWcZ\
     EwS01aVrdFcjCERmEyllyyD0Ysx_blZtW6zhVqXFqdpCjjKyqd4aFc7oNufRF6h-M90hcAEc-OKO78ofDZrH7kWA\
     2dOsmgEuAhZ-ojJOf6gRDBPp6R-32BA7D4ASlaBhoY6l70Gxk6sR1cKLWTKDPXIbSw_UYQ3WHn_tofO96YUjISGl\
     ZHHQ3RlLg05aV2o0PSPk0kIfn3i-YjZfPM6slN-SfFzrPwnNwimEdTm-ehWvxMKF6jv5f7doKxAhFw";
const DER: &str = "\
     MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAv4A3i8+ofwTbFIWuoGwGn+8fMPlVErw5i8WsDDUtbB0y\
     wGapqOjrPl+oFbIy5iqL5n0gLlShE1RbhZswjVN9FWcZEwS01aVrdFcjCERmEyllyyD0Ysx/blZtW6zhVqXFqdpC\
     jjKyqd4aFc7oNufRF6h+M90hcAEc+OKO78ofDZrH7kWA2dOsmgEuAhZ+ojJOf6gRDBPp6R+32BA7D4ASlaBhoY6l\
     70Gxk6sR1cKLWTKDPXIbSw/UYQ3WHn/tofO96YUjISGlZHHQ3RlLg05aV2o0PSPk0kIfn3i+YjZfPM6slN+SfFzr\
     PwnNwimEdTm+ehWvxMKF6jv5f7doKxAhFwIDAQAB";

/// The signature by it of the token of this header for `ann`.
const HEADER: &str = r#"{"alg":"RS256","kid":"rsa"}"#;
const CLAIMS: &str = r#"{"aud":"us","exp":4000000000,"sub":"ann"}"#;
const SIGNATURE: &str = "\
     Nv_Ed-8Nnt8MvXH8jEliNZSKLmJIgMlkY1rQqu9TKBmqILfCzlHM-5KKVqEkBSvc9desCtm9UxWfBVYSXUjsrQZf\
     -Bv24dCN_UriDZDdXe5sFRxH2hhQ1zF1VSG7hFu_TwGeoYhadhrsrGf1naDXm-4rAg46S_7IFUUYB7Fa5U5sM3dV\
     tAHjD5WlsdxGX5fs9QGofeHpWaNTcoZddnx-xmNKLwk7p8tR1h87IhmrfzzfQPpF2HwE1vezkC0UYhIpGK1FTsxs\
     9q8oscGf14BtmUC-Puq8q2Blur7doi3JlGYnQ1HGu1wP8HRaf9DrpSZ8AKm2qygtYE_g4TaS7NQy-g";

/// The key as programs write it into files.
fn pem() -> String {
    let lines: Vec<&str> = DER
        .as_bytes()
        .chunks(64)
        .map(|line| str::from_utf8(line).unwrap())
        .collect();
    format!(
        "-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n",
        lines.join("\n")
    )
}

#[test]
fn a_public_key_of_rsa_verifies_and_is_no_secret() {
    let scratch = Scratch::with_few();
    let issuer = Issuer::start();
    *issuer.keys.lock().unwrap() =
        json!([{"kty": "RSA", "kid": "rsa", "alg": "RS256", "n": MODULUS, "e": "AQAB"}]);
    let server = serving(&scratch, &[("RESEARCH_SERVER__JWKS", &issuer.url)]);
    let message = format!("{}.{}", encoded(HEADER), encoded(CLAIMS));
    assert_eq!(get(&server, &format!("{message}.{SIGNATURE}")).status, 200);
    let der = STANDARD.decode(DER).unwrap();
    let forms: [(&str, Vec<u8>); 5] = [
        ("PEM", pem().into_bytes()),
        ("PEM without the last line break", pem().trim_end().into()),
        ("DER", der.clone()),
        // What stands before is the name of the algorithm.
        ("PKCS #1", der[24..].to_vec()),
        ("modulus", MODULUS.into()),
    ];
    for (form, secret) in forms {
        for header in [
            json!({"alg": "HS256", "kid": "rsa"}),
            json!({"alg": "HS256"}),
            json!({"alg": "RS256", "kid": "rsa"}),
        ] {
            let sign = mac(hmac::HMAC_SHA256, &secret);
            let confused = token_by(&header, &claims("ann"), sign);
            get(&server, &confused).assert_problem(401, &format!("{form}, {header}"));
        }
    }
    let other = format!(
        "{}.{}",
        encoded(HEADER),
        encoded(CLAIMS.replace("ann", "bob"))
    );
    get(&server, &format!("{other}.{SIGNATURE}")).assert_problem(401, "another owner");
    assert_eq!(issuer.fetches.load(Ordering::SeqCst), 1);
}
