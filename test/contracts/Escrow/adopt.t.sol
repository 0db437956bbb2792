// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IEscrow} from "../../../contracts/interfaces/IEscrow.sol";
import {IEscrowControls} from "../../../contracts/interfaces/IEscrowControls.sol";
import {EscrowTest} from "../EscrowTest.sol";

contract AdoptTest is EscrowTest {
    function test_holdsAPaymentAStrangerTookToTheToken() public {
        IEscrow.Terms memory terms = order();
        bytes memory signature = signed(terms, PAYER_KEY);
        bytes32 nonce = escrow.termsHash(terms);
        vm.prank(STRANGER);
        usdc.transferWithAuthorization(payer, address(escrow), PRICE, 0, terms.fundBy, nonce, signature);

        vm.expectRevert("FiatTokenV2: authorization is used or canceled");
        escrow.fund(terms, payer, 0, terms.fundBy, signature);

        announceAdopt(terms, payer);
        passStrayDelay();
        vm.expectEmit(address(escrow));
        emit IEscrow.Funded(escrow.holdId(terms, payer), terms.order, payer, terms, true);
        adopt(terms, payer);
        assertState(escrow.holdId(terms, payer), IEscrow.HoldState.Held);
        assertOwes(PRICE);
        vm.assertEq(escrow.surplus(), 0, "surplus");
    }

    function test_onlyTheResolverMay() public {
        IEscrow.Terms memory terms = paidDirectly();
        bytes memory reason = abi.encodeWithSelector(IEscrowControls.NotResolver.selector, STRANGER, RESOLVER);
        vm.expectRevert(reason);
        vm.prank(STRANGER);
        escrow.announceAdopt(terms, payer);
        announced(terms);
        vm.expectRevert(reason);
        vm.prank(STRANGER);
        escrow.adopt(terms, payer);
    }

    function test_refusesToAnnounceAnUnusedAuthorization() public {
        usdc.mint(address(escrow), PRICE);
        IEscrow.Terms memory terms = order();
        vm.expectRevert(
            abi.encodeWithSelector(IEscrow.AuthorizationUnused.selector, payer, escrow.termsHash(terms))
        );
        announceAdopt(terms, payer);
    }

    function test_aCancelledAuthorizationClaimsNobodysMoney() public {
        (, bytes32 id) = funded();
        IEscrow.Terms memory cancelled = order();
        cancelled.order = keccak256("market:order:2");
        cancel(PAYER_KEY, escrow.termsHash(cancelled));
        announced(cancelled);
        expectRefusal(cancelled, abi.encodeWithSelector(IEscrowControls.SurplusExceeded.selector, PRICE, 0));
        assertState(id, IEscrow.HoldState.Held);
        assertOwes(PRICE);
    }

    function test_aSelfTransferUnderTheOrdersNonceClaimsNobodysMoney() public {
        funded();
        IEscrow.Terms memory terms = order();
        terms.order = keccak256("market:order:2");
        submitDirectly(PAYER_KEY, payer, PRICE, escrow.termsHash(terms));
        announced(terms);
        expectRefusal(terms, abi.encodeWithSelector(IEscrowControls.SurplusExceeded.selector, PRICE, 0));
        assertOwes(PRICE);
    }

    function test_isCappedAtTheSurplus(uint128 stray) public {
        IEscrow.Terms memory terms = order();
        uint256 strayMicros = 1 + (stray % (2 * PRICE));
        usdc.mint(address(escrow), strayMicros);
        cancel(PAYER_KEY, escrow.termsHash(terms));
        announced(terms);
        if (strayMicros < PRICE) {
            expectRefusal(
                terms,
                abi.encodeWithSelector(IEscrowControls.SurplusExceeded.selector, PRICE, strayMicros)
            );
        } else {
            adopt(terms, payer);
            assertOwes(PRICE);
        }
    }

    function test_refusesToAnnounceAHoldThatIsThere() public {
        (IEscrow.Terms memory terms, bytes32 id) = funded();
        usdc.mint(address(escrow), PRICE);
        expectWrongState(id, IEscrow.HoldState.Held, IEscrow.HoldState.None);
        announceAdopt(terms, payer);
    }

    function test_refusesToAnnounceAPaymentThatWasReturned() public {
        IEscrow.Terms memory terms = paidDirectly();
        bytes32 nonce = escrow.termsHash(terms);
        announceReturnStray(payer, nonce, PRICE);
        passStrayDelay();
        returnStray(payer, nonce, PRICE);
        usdc.mint(address(escrow), PRICE);
        expectWrongState(escrow.holdId(terms, payer), IEscrow.HoldState.Returned, IEscrow.HoldState.None);
        announceAdopt(terms, payer);
    }

    function test_mayComeAfterFundByButNotAfterExpiry() public {
        IEscrow.Terms memory terms = paidDirectly();
        vm.warp(terms.expiry + 1);
        bytes memory expired = abi.encodeWithSelector(IEscrow.HoldExpired.selector, terms.expiry);
        vm.expectRevert(expired);
        announceAdopt(terms, payer);
        vm.warp(terms.expiry - 4 days);
        announceAdopt(terms, payer);
        vm.warp(terms.expiry + 1);
        expectRefusal(terms, expired);
        vm.warp(terms.expiry);
        adopt(terms, payer);
        assertOwes(PRICE);
    }

    function test_expiryIsTheLastMomentToAnnounce() public {
        IEscrow.Terms memory terms = paidDirectly();
        vm.warp(terms.expiry);
        announceAdopt(terms, payer);
        (IEscrow.StrayAction action, , ) = escrow.announcedStray(payer, escrow.termsHash(terms));
        vm.assertEq(uint256(action), uint256(IEscrow.StrayAction.Adopt), "action");
    }

    function test_refusesToAnnounceTermsThatFundRefuses() public {
        IEscrow.Terms memory terms = order();
        terms.payee = payer;
        submitDirectly(PAYER_KEY, address(escrow), PRICE, escrow.termsHash(terms));
        vm.expectRevert(abi.encodeWithSelector(IEscrow.InvalidPayer.selector, payer));
        announceAdopt(terms, payer);
    }

    function test_isStoppedByAPauseAndItsAnnouncementIsNot() public {
        IEscrow.Terms memory terms = paidDirectly();
        vm.prank(PAUSER);
        escrow.pause();
        announced(terms);
        expectRefusal(terms, abi.encodeWithSelector(IEscrowControls.EscrowPaused.selector, escrow.pausedUntil()));
        vm.warp(escrow.pausedUntil());
        adopt(terms, payer);
        assertOwes(PRICE);
    }

    /// @dev Announces it, and lets the delay pass.
    function announced(IEscrow.Terms memory terms) private {
        announceAdopt(terms, payer);
        passStrayDelay();
    }

    function expectRefusal(IEscrow.Terms memory terms, bytes memory reason) private {
        vm.expectRevert(reason);
        adopt(terms, payer);
    }
}
