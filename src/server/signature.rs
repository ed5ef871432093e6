//! The signatures of tokens, verified by the cryptography that TLS brings along.

use jsonwebtoken::crypto::{CryptoProvider, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{ErrorKind, Result};
use jsonwebtoken::signature::{self, Verifier};
use jsonwebtoken::{Algorithm, DecodingKey, DecodingKeyKind};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents,
    UnparsedPublicKey,
};

/// The cryptography of this program for `jsonwebtoken`. It signs nothing.
static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: |_, _| Err(ErrorKind::UnsupportedAlgorithm.into()),
    verifier_factory: verifier,
    key_utils: KeyUtils::new_unimplemented(),
};

/// Installs the cryptography for the process.
pub(super) fn install() {
    // The only error is that it was installed before.
    let _ = PROVIDER.install_default();
}

/// A key, and the algorithm with which it verifies.
struct KeyVerifier {
    algorithm: Algorithm,
    key: DecodingKey,
}

fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>> {
    // A public key is never taken as the secret of an HMAC, whatever the token asks for.
    if algorithm.family() != key.family() {
        return Err(ErrorKind::InvalidAlgorithm.into());
    }
    Ok(Box::new(KeyVerifier {
        algorithm: *algorithm,
        key: key.clone(),
    }))
}

impl JwtVerifier for KeyVerifier {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}

impl Verifier<Vec<u8>> for KeyVerifier {
    fn verify(
        &self,
        message: &[u8],
        signature: &Vec<u8>,
    ) -> std::result::Result<(), signature::Error> {
        use DecodingKeyKind::{RsaModulusExponent, SecretOrDer};
        let verified = match (self.algorithm, self.key.kind()) {
            (Algorithm::HS256, SecretOrDer(secret)) => {
                let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, secret);
                ring::hmac::verify(&key, message, signature)
            }
            (Algorithm::RS256, RsaModulusExponent { n, e }) => RsaPublicKeyComponents { n, e }
                .verify(&RSA_PKCS1_2048_8192_SHA256, message, signature),
            (Algorithm::ES256, SecretOrDer(point)) => {
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).verify(message, signature)
            }
            (Algorithm::EdDSA, SecretOrDer(point)) => {
                UnparsedPublicKey::new(&ED25519, point).verify(message, signature)
            }
            _ => return Err(signature::Error::new()),
        };
        verified.map_err(|_| signature::Error::new())
    }
}

#[cfg(test)]
mod tests {
    use jsonwebtoken::crypto::verify;

    use super::*;

    /// Verifies a whole token; `false` as well if it is no token or the key is of another kind.
    fn is_signed(token: &str, key: &DecodingKey, algorithm: Algorithm) -> bool {
        install();
        let (message, signature) = token.rsplit_once('.').unwrap();
        verify(signature, message.as_bytes(), key, algorithm).unwrap_or(false)
    }

    /// The examples of RFC 7515 (A.1 to A.3) and RFC 8037 (A.4): algorithm, key, token.
    const EXAMPLES: &str = include_str!("signature.txt");

    #[test]
    fn the_examples_of_the_standards_are_verified_and_nothing_else() {
        let examples = EXAMPLES.lines().map(|line| {
            let parts: Vec<&str> = line.split(' ').collect();
            let key = DecodingKey::from_jwk(&serde_json::from_str(parts[1]).unwrap()).unwrap();
            (parts[0].parse().unwrap(), key, parts[2])
        });
        let examples: Vec<(Algorithm, DecodingKey, &str)> = examples.collect();
        assert_eq!(examples.len(), 4);
        for (algorithm, key, token) in &examples {
            assert!(is_signed(token, key, *algorithm), "{algorithm:?}");
            let changed = token
                .replacen(".eyJpc3", ".eyJpc4", 1)
                .replacen(".RXhh", ".RXhi", 1);
            assert!(!is_signed(&changed, key, *algorithm), "{algorithm:?}");
            for (other, _, _) in &examples {
                let is_confused = other != algorithm && is_signed(token, key, *other);
                assert!(!is_confused, "{algorithm:?} as {other:?}");
            }
        }
    }
}
