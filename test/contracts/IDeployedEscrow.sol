// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {
    IAccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/IAccessControlDefaultAdminRules.sol";
import {IEscrow} from "../../contracts/interfaces/IEscrow.sol";

/// @dev The escrow as these tests call it. They import no code of it, so that what they run is its artifact.
interface IDeployedEscrow is IEscrow, IAccessControl, IAccessControlDefaultAdminRules {
    function PAUSER_ROLE() external view returns (bytes32 role);
    function MAX_FEE_BPS() external view returns (uint16 most);
    function STRAY_DELAY() external view returns (uint48 delay);
    function RESOLVER_DELAY() external view returns (uint48 delay);
}
