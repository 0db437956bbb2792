// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {SignerWallet} from "./SignerWallet.sol";

/// @dev Deploys contract wallets at addresses known beforehand, as the factories of smart wallets do.
contract WalletFactory {
    error AlreadyDeployed(address wallet);

    /// @dev Refuses a second time, and costs little then: only a call that may fail gets past that.
    function deploy(address owner, bytes32 salt) external returns (address) {
        address wallet = addressOf(owner, salt);
        if (wallet.code.length != 0) revert AlreadyDeployed(wallet);
        return address(new SignerWallet{salt: salt}(owner));
    }

    function addressOf(address owner, bytes32 salt) public view returns (address) {
        bytes32 code = keccak256(abi.encodePacked(type(SignerWallet).creationCode, abi.encode(owner)));
        return address(uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), address(this), salt, code)))));
    }
}
