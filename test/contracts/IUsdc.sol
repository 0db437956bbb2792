// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IPaymentToken} from "../../contracts/interfaces/IPaymentToken.sol";

/// @dev What these tests use of FiatTokenV2_2 beyond what the escrow does.
interface IUsdc is IPaymentToken {
    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);

    function initialize(
        string calldata name,
        string calldata symbol,
        string calldata currency,
        uint8 decimals,
        address masterMinter,
        address pauser,
        address blacklister,
        address owner
    ) external;
    function initializeV2(string calldata name) external;
    function initializeV2_1(address lostAndFound) external;
    function initializeV2_2(address[] calldata blacklisted, string calldata symbol) external;
    function configureMinter(address minter, uint256 allowance) external returns (bool done);
    function mint(address to, uint256 amount) external returns (bool done);
    function pause() external;
    function unpause() external;
    function blacklist(address account) external;
    function unBlacklist(address account) external;
    function isBlacklisted(address account) external view returns (bool yes);
    function cancelAuthorization(address authorizer, bytes32 nonce, bytes calldata signature) external;
    function DOMAIN_SEPARATOR() external view returns (bytes32 separator);
}
