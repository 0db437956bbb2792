// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @dev Who has the powers over an escrow, by the books of whoever hands them on.
interface IPowers {
    function adminNow() external view returns (address admin);
    function pauserNow() external view returns (address pauser);
}
