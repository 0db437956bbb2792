// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @dev A contract wallet that signs with its owner's key.
contract SignerWallet is IERC1271 {
    address private immutable _owner;

    constructor(address owner) {
        _owner = owner;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4 magicValue) {
        return ECDSA.recover(hash, signature) == _owner ? this.isValidSignature.selector : bytes4(0);
    }
}
