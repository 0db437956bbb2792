// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @dev What an attacker can put into one transaction: any calls in any order, and events that look like the
/// token's.
contract Sequence {
    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);

    struct Call {
        address to;
        bytes data;
    }

    error CallFailed(uint256 index, bytes reason);

    function run(Call[] calldata calls) external {
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool success, bytes memory reason) = calls[i].to.call(calls[i].data);
            if (!success) revert CallFailed(i, reason);
        }
    }

    function pretend(address authorizer, bytes32 nonce) external {
        emit AuthorizationUsed(authorizer, nonce);
    }
}
