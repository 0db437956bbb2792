// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @dev The cheatcodes these tests use, as Hardhat's Solidity test runner has them.
interface Vm {
    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    function addr(uint256 privateKey) external pure returns (address account);
    function sign(uint256 privateKey, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function label(address account, string calldata name) external;

    function getBlockTimestamp() external view returns (uint256 timestamp);
    function chainId(uint256 id) external;
    function warp(uint256 timestamp) external;
    function snapshotState() external returns (uint256 id);
    function revertToState(uint256 id) external returns (bool done);
    function prank(address sender) external;
    function startPrank(address sender) external;
    function stopPrank() external;

    function expectRevert(bytes calldata data) external;
    function expectRevert(bytes4 selector) external;
    function expectEmit(address emitter) external;
    function recordLogs() external;
    function getRecordedLogs() external returns (Log[] memory logs);

    function etch(address target, bytes calldata code) external;
    function assume(bool condition) external pure;
    function mockCall(address target, bytes calldata data, bytes calldata answer) external;

    function getCode(string calldata artifact) external view returns (bytes memory code);
    function readFile(string calldata path) external view returns (string memory text);
    function parseJsonString(string calldata json, string calldata key) external pure returns (string memory value);
    function parseBytes(string calldata text) external pure returns (bytes memory value);
    function replace(string calldata text, string calldata from, string calldata to) external pure returns (string memory);
    function toString(uint256 value) external pure returns (string memory text);
    function toString(address value) external pure returns (string memory text);

    function assertTrue(bool condition, string calldata message) external pure;
    function assertFalse(bool condition, string calldata message) external pure;
    function assertEq(uint256 left, uint256 right, string calldata message) external pure;
    function assertEq(address left, address right, string calldata message) external pure;
    function assertEq(string calldata left, string calldata right, string calldata message) external pure;
    function assertEq(bytes32 left, bytes32 right, string calldata message) external pure;
    function assertLe(uint256 left, uint256 right, string calldata message) external pure;
    function assertGe(uint256 left, uint256 right, string calldata message) external pure;
}
