"""Keys: where the master key lives, and every key and digest that hangs from it."""

from memwarden.keys.derive import decrypt, derive, encrypt, fingerprint, keyed_digest, new_key, pack
from memwarden.keys.place import (
    FOLDER_VARIABLE,
    KEY_VARIABLE,
    KeyPlace,
    KeySource,
    MasterKey,
    encode_key,
    write_key_file,
)
from memwarden.keys.ring import Keyring, RootKeys, TenantKeys, open_keyring, rotate_master

__all__ = [
    "FOLDER_VARIABLE",
    "KEY_VARIABLE",
    "KeyPlace",
    "KeySource",
    "Keyring",
    "MasterKey",
    "RootKeys",
    "TenantKeys",
    "decrypt",
    "derive",
    "encode_key",
    "encrypt",
    "fingerprint",
    "keyed_digest",
    "new_key",
    "open_keyring",
    "pack",
    "rotate_master",
    "write_key_file",
]
