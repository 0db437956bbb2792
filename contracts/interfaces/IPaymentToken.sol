// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title IPaymentToken
/// @notice The functions of its token that the escrow uses: ERC-20, and EIP-3009 with signatures as bytes, as
/// FiatTokenV2_2 has them.
interface IPaymentToken is IERC20 {
    /// @notice Moves `value` from `from` to `to` on the signature of `from`. Anyone may submit it.
    /// @dev Emits `AuthorizationUsed`, then `Transfer`. Source: EIP-3009.
    /// @param from The signer: an account, or a contract that answers ERC-1271.
    /// @param to The recipient.
    /// @param value The amount, in micro-units.
    /// @param validAfter Unix seconds: the authorization is valid after this moment.
    /// @param validBefore Unix seconds: the authorization is valid before this moment.
    /// @param nonce Never used before with this `from`.
    /// @param signature 65 bytes r, s, v of an account, or what the contract's ERC-1271 takes.
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external;

    /// @notice Like `transferWithAuthorization`, for a signature that only `to` may submit.
    /// @param from The signer: an account, or a contract that answers ERC-1271.
    /// @param to The recipient, which must be the caller.
    /// @param value The amount, in micro-units.
    /// @param validAfter Unix seconds: the authorization is valid after this moment.
    /// @param validBefore Unix seconds: the authorization is valid before this moment.
    /// @param nonce Never used before with this `from`.
    /// @param signature 65 bytes r, s, v of an account, or what the contract's ERC-1271 takes.
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external;

    /// @notice Returns whether the nonce of `authorizer` is spent: used for any transfer, or cancelled.
    /// @param authorizer The signer.
    /// @param nonce The nonce.
    /// @return spent True when no authorization with this nonce can be used.
    function authorizationState(address authorizer, bytes32 nonce) external view returns (bool spent);
}
