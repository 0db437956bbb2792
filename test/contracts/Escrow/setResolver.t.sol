// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {IAccessControlDefaultAdminRules} from "@openzeppelin/contracts/access/extensions/IAccessControlDefaultAdminRules.sol";
import {IEscrow} from "../../../contracts/interfaces/IEscrow.sol";
import {IEscrowControls} from "../../../contracts/interfaces/IEscrowControls.sol";
import {EscrowTest} from "../EscrowTest.sol";

/// @dev The resolver, and the admin who names it.
contract SetResolverTest is EscrowTest {
    address private constant NEXT = address(0xB1);

    function test_takesEffectAfterTwoDaysForHoldsThatAreThere() public {
        (IEscrow.Terms memory terms, ) = funded();
        uint48 effectiveAt = uint48(timeNow() + 2 days);
        vm.expectEmit(address(escrow));
        emit IEscrowControls.ResolverChangeScheduled(NEXT, effectiveAt);
        setResolver(NEXT);
        expectPending(NEXT, effectiveAt);

        (address[] memory recipients, uint256[] memory amounts) = acceptedSplit();
        vm.warp(effectiveAt - 1);
        vm.expectRevert(abi.encodeWithSelector(IEscrowControls.NotResolver.selector, NEXT, RESOLVER));
        vm.prank(NEXT);
        escrow.release(terms, payer, recipients, amounts);

        vm.warp(effectiveAt);
        vm.assertEq(escrow.resolver(), NEXT, "resolver");
        expectPending(address(0), 0);
        vm.expectRevert(abi.encodeWithSelector(IEscrowControls.NotResolver.selector, RESOLVER, NEXT));
        release(terms, recipients, amounts);
        vm.prank(NEXT);
        escrow.release(terms, payer, recipients, amounts);
        assertClaimable(PAYEE, NET);
    }

    function test_namingThePresentOneCancelsTheChange() public {
        uint48 since = uint48(timeNow());
        setResolver(NEXT);
        vm.warp(timeNow() + 1 days);
        vm.expectEmit(address(escrow));
        emit IEscrowControls.ResolverChangeScheduled(RESOLVER, since);
        setResolver(RESOLVER);
        expectPending(address(0), 0);
        vm.warp(timeNow() + 30 days);
        vm.assertEq(escrow.resolver(), RESOLVER, "resolver");
    }

    /// @dev It would end everything that is announced for stray payments, and change nothing else.
    function test_refusesTheOneNamedLast() public {
        expectInvalid(RESOLVER);
        setResolver(NEXT);
        expectInvalid(NEXT);
        vm.warp(timeNow() + 1 days);
        setResolver(RESOLVER);
        expectInvalid(RESOLVER);
        setResolver(NEXT);
        vm.warp(timeNow() + 2 days);
        expectInvalid(NEXT);
        vm.assertEq(escrow.resolver(), NEXT, "resolver");
    }

    function test_aSecondChangeStartsTheDelayAgain() public {
        setResolver(NEXT);
        vm.warp(timeNow() + 1 days);
        setResolver(STRANGER);
        vm.warp(timeNow() + 2 days - 1);
        vm.assertEq(escrow.resolver(), RESOLVER, "neither has taken effect");
        vm.warp(timeNow() + 1);
        vm.assertEq(escrow.resolver(), STRANGER, "the second took effect");
    }

    function test_aChangeThatTookEffectStaysWhileTheNextIsDue() public {
        setResolver(NEXT);
        vm.warp(timeNow() + 2 days);
        setResolver(STRANGER);
        vm.assertEq(escrow.resolver(), NEXT, "resolver");
        expectPending(STRANGER, uint48(timeNow() + 2 days));
    }

    function test_isNeverZero() public {
        expectInvalid(address(0));
    }

    function test_norIsTheTokenOrTheFirstResolver() public {
        expectNoEscrow(address(0), RESOLVER, abi.encodeWithSelector(IEscrowControls.InvalidToken.selector, address(0)));
        expectNoEscrow(
            address(usdc),
            address(0),
            abi.encodeWithSelector(IEscrowControls.InvalidResolver.selector, address(0))
        );
    }

    /// @dev External, so that the refusal of the constructor can be caught.
    function deploy(address token, address resolver) external {
        deployEscrow(token, ADMIN, resolver, PAUSER);
    }

    function test_onlyTheAdminMay() public {
        address[3] memory others = [RESOLVER, PAUSER, STRANGER];
        for (uint256 i = 0; i < others.length; ++i) {
            vm.expectRevert(
                abi.encodeWithSelector(
                    IAccessControl.AccessControlUnauthorizedAccount.selector,
                    others[i],
                    bytes32(0)
                )
            );
            vm.prank(others[i]);
            escrow.setResolver(others[i]);
        }
    }

    function test_theAdminItselfChangesAfterTwoDays() public {
        vm.prank(ADMIN);
        escrow.beginDefaultAdminTransfer(NEXT);
        uint48 schedule = uint48(timeNow() + 2 days);
        vm.warp(schedule);
        vm.expectRevert(
            abi.encodeWithSelector(
                IAccessControlDefaultAdminRules.AccessControlEnforcedDefaultAdminDelay.selector,
                schedule
            )
        );
        vm.prank(NEXT);
        escrow.acceptDefaultAdminTransfer();
        vm.warp(schedule + 1);
        vm.prank(NEXT);
        escrow.acceptDefaultAdminTransfer();
        vm.assertEq(escrow.defaultAdmin(), NEXT, "admin");
    }

    function expectNoEscrow(address token, address resolver, bytes memory expected) private {
        try this.deploy(token, resolver) {
            vm.assertTrue(false, "must revert");
        } catch (bytes memory reason) {
            vm.assertEq(keccak256(reason), keccak256(expected), "reason");
        }
    }

    function expectInvalid(address next) private {
        vm.expectRevert(abi.encodeWithSelector(IEscrowControls.InvalidResolver.selector, next));
        setResolver(next);
    }

    function setResolver(address next) private {
        vm.prank(ADMIN);
        escrow.setResolver(next);
    }

    function expectPending(address expected, uint48 expectedAt) private view {
        (address pending, uint48 effectiveAt) = escrow.pendingResolver();
        vm.assertEq(pending, expected, "pending resolver");
        vm.assertEq(effectiveAt, expectedAt, "time of the change");
    }
}
