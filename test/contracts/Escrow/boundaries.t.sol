// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IEscrow} from "../../../contracts/interfaces/IEscrow.sol";
import {IEscrowControls} from "../../../contracts/interfaces/IEscrowControls.sol";
import {EscrowTest} from "../EscrowTest.sol";
import {IUsdc} from "../IUsdc.sol";
import {Vm} from "../Vm.sol";

/// @dev The last value a rule allows and the first it does not, where a value drawn at random would hardly
/// fall.
contract BoundariesTest is EscrowTest {
    function test_theLimitsAndRolesAreThosePublished() public view {
        vm.assertEq(escrow.MAX_FEE_BPS(), 1_000, "highest fee");
        vm.assertEq(escrow.STRAY_DELAY(), 4 days, "delay of what is announced for a stray payment");
        vm.assertEq(escrow.RESOLVER_DELAY(), 2 days, "delay of a change of the resolver");
        vm.assertEq(escrow.PAUSER_ROLE(), keccak256("PAUSER_ROLE"), "role of pausers");
    }

    function test_theFirstResolverIsAnnouncedToo() public {
        vm.recordLogs();
        address deployed = address(deployEscrow(address(usdc), ADMIN, RESOLVER, PAUSER));
        Vm.Log memory log = only(IEscrowControls.ResolverChangeScheduled.selector);
        vm.assertEq(log.emitter, deployed, "emitter");
        vm.assertEq(log.topics[1], bytes32(uint256(uint160(RESOLVER))), "resolver");
        vm.assertEq(keccak256(log.data), keccak256(abi.encode(timeNow())), "time");
    }

    function test_fundWithReceiveEmitsFundedRightAfterTheTokensEvents() public {
        IEscrow.Terms memory terms = order();
        bytes32 nonce = escrow.termsHash(terms);
        bytes memory signature = signReceive(PAYER_KEY, address(escrow), terms.amount, terms.fundBy, nonce);
        vm.recordLogs();
        escrow.fundWithReceive(terms, payer, 0, terms.fundBy, signature);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        vm.assertEq(logs.length, 3, "number of logs");
        vm.assertEq(logs[0].topics[0], IUsdc.AuthorizationUsed.selector, "first log");
        vm.assertEq(logs[1].topics[0], IERC20.Transfer.selector, "second log");
        vm.assertEq(logs[2].topics[0], IEscrow.Funded.selector, "third log");
        vm.assertEq(logs[2].topics[1], escrow.holdId(terms, payer), "hold");
        vm.assertEq(logs[2].topics[2], terms.order, "order");
        vm.assertEq(logs[2].topics[3], bytes32(uint256(uint160(payer))), "payer");
        vm.assertEq(keccak256(logs[2].data), keccak256(abi.encode(terms, false)), "terms and adopted");
    }

    function test_aFeeOfNothingLeavesTheServiceNoLeg() public {
        expectReleasedByPayer(PRICE, 0, PRICE, 0);
    }

    function test_theSmallestUnitIsALeg() public {
        expectReleasedByPayer(1, 0, 1, 0);
        expectReleasedByPayer(1, 1_000, 1, 0);
        expectReleasedByPayer(20, 500, 19, 1);
        expectReleasedByPayer(10, 1_000, 9, 1);
    }

    function test_wantsAsManyAmountsAsRecipients() public {
        (IEscrow.Terms memory terms, ) = funded();
        vm.expectRevert(abi.encodeWithSelector(IEscrow.InvalidLegs.selector, 1, 2));
        release(terms, new address[](1), new uint256[](2));
    }

    function test_afterExpiryThePayerMayHaveTheWholeInParts() public {
        (IEscrow.Terms memory terms, ) = funded();
        vm.warp(terms.expiry + 1);
        (address[] memory recipients, uint256[] memory amounts) = split(payer, NET, payer, FEE);
        release(terms, recipients, amounts);
        assertClaimable(payer, PRICE);
    }

    function test_theLastMomentOfARescue() public {
        usdc.mint(address(escrow), 1);
        vm.prank(ADMIN);
        escrow.announceRescue(STRANGER, 1);
        vm.warp(timeNow() + 30 days + 7 days);
        vm.prank(ADMIN);
        escrow.rescue();
        vm.assertEq(usdc.balanceOf(STRANGER), 1, "rescued tokens");
    }

    function expectReleasedByPayer(uint128 amount, uint16 feeBps, uint256 net, uint256 fee) private {
        IEscrow.Terms memory terms = order();
        terms.order = keccak256(abi.encode(amount, feeBps));
        (terms.amount, terms.feeBps) = (amount, feeBps);
        bytes32 id = fund(terms);
        address[] memory recipients;
        uint256[] memory amounts;
        if (fee == 0) (recipients, amounts) = whole(PAYEE, net);
        else (recipients, amounts) = split(PAYEE, net, FEE_RECIPIENT, fee);
        vm.expectEmit(address(escrow));
        emit IEscrow.Released(id, terms.order, payer, recipients, amounts, IEscrow.Cause.Payer);
        vm.prank(payer);
        escrow.releaseByPayer(terms);
    }

    /// @dev The one recorded log with this selector.
    function only(bytes32 selector) private returns (Vm.Log memory found) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        uint256 count;
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].topics[0] != selector) continue;
            ++count;
            found = logs[i];
        }
        vm.assertEq(count, 1, "logs of this kind");
    }
}
