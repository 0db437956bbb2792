// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {IEscrow} from "../../../contracts/interfaces/IEscrow.sol";
import {EscrowTest} from "../EscrowTest.sol";

/// @dev A wallet that says yes to whatever it is asked, unless it is to answer with noise.
contract NoisyWallet is IERC1271 {
    uint256 private _noiseBytes;
    bool private _reverts;

    function makeNoise(uint256 noiseBytes, bool reverts) external {
        (_noiseBytes, _reverts) = (noiseBytes, reverts);
    }

    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        uint256 size = _noiseBytes;
        if (size == 0) return this.isValidSignature.selector;
        if (_reverts) {
            assembly ("memory-safe") {
                revert(0, size)
            }
        }
        assembly ("memory-safe") {
            return(0, size)
        }
    }
}

/// @dev What strangers, payers and their wallets can try with real USDC, and where its own rules end. What is
/// not here is with the operation it is tried on: docs/contracts/threats.md names all of it.
contract AttacksTest is EscrowTest {
    /// @dev Together with a cancellation in the same block, whichever of the two comes first alone counts.
    function test_aCancellationBehindTheFundingTakesNothingBack() public {
        (IEscrow.Terms memory terms, bytes32 id) = funded();
        bytes32 nonce = escrow.termsHash(terms);
        vm.expectRevert("FiatTokenV2: authorization is used or canceled");
        this.cancelAsPayer(nonce);
        assertState(id, IEscrow.HoldState.Held);
        (address[] memory recipients, uint256[] memory amounts) = acceptedSplit();
        release(terms, recipients, amounts);
        assertClaimable(PAYEE, NET);
    }

    function test_aWalletThatAnswersWithAMegabytePaysNothing() public {
        IEscrow.Terms memory terms = order();
        for (uint256 i = 0; i < 2; ++i) {
            address wallet = newWallet();
            NoisyWallet(wallet).makeNoise(1_000_000, i == 1);
            try escrow.fund{gas: 4_000_000}(terms, wallet, 0, terms.fundBy, "") {
                vm.assertTrue(false, "must revert");
            } catch {}
            assertState(escrow.holdId(terms, wallet), IEscrow.HoldState.None);
        }
        assertOwes(0);
    }

    function test_anAuthorizationIsValidStrictlyBetweenItsTimes() public {
        IEscrow.Terms memory terms = order();
        address wallet = newWallet();
        vm.expectRevert("FiatTokenV2: authorization is not yet valid");
        escrow.fund(terms, wallet, timeNow(), timeNow() + 1, "");
        vm.expectRevert("FiatTokenV2: authorization is expired");
        escrow.fund(terms, wallet, timeNow() - 1, timeNow(), "");
        escrow.fund(terms, wallet, timeNow() - 1, timeNow() + 1, "");
        assertOwes(PRICE);
    }

    function test_aValidityWithoutEndEndsWithTheOffer() public {
        IEscrow.Terms memory terms = order();
        address wallet = newWallet();
        vm.warp(terms.fundBy + 1);
        vm.expectRevert(abi.encodeWithSelector(IEscrow.FundingClosed.selector, terms.fundBy));
        escrow.fund(terms, wallet, 0, type(uint256).max, "");
        vm.warp(terms.fundBy);
        escrow.fund(terms, wallet, 0, type(uint256).max, "");
        assertOwes(PRICE);
    }

    /// @dev Nobody has as much; a token that mints it harms those who use it alone.
    function test_theLargestAmountIsHeldAndPaidBesideOthers() public {
        IEscrow.Terms memory terms = order();
        (terms.amount, terms.feeBps) = (type(uint128).max, 0);
        address wallet = newWallet();
        usdc.mint(wallet, terms.amount);
        escrow.fund(terms, wallet, 0, terms.fundBy, "");
        fund(order());
        assertOwes(uint256(PRICE) + type(uint128).max);

        vm.prank(wallet);
        escrow.releaseByPayer(terms);
        vm.prank(payer);
        escrow.releaseByPayer(order());
        escrow.withdrawFor(PAYEE);
        vm.assertEq(usdc.balanceOf(PAYEE), uint256(NET) + type(uint128).max, "paid");
        assertOwes(FEE);
    }

    /// @dev Zero is what a signature of nobody recovers, and 1 to 10 are precompiles.
    function test_nobodyPaysOutOfAnAddressWithoutAKey(bytes memory signature) public {
        IEscrow.Terms memory terms = order();
        for (uint160 i = 0; i < 13; ++i) {
            address from = i < 11 ? address(i) : i == 11 ? address(escrow) : address(usdc);
            try escrow.fund(terms, from, 0, terms.fundBy, signature) {
                vm.assertTrue(false, "must revert");
            } catch {}
            vm.assertFalse(usdc.authorizationState(from, escrow.termsHash(terms)), "nonce spent");
        }
        assertOwes(0);
    }

    function test_aPaymentIsAdoptedOnceAndUnderTheTermsThatWereSigned() public {
        IEscrow.Terms memory terms = order();
        submitDirectly(PAYER_KEY, address(escrow), PRICE, escrow.termsHash(terms));
        usdc.mint(address(escrow), PRICE);
        IEscrow.Terms memory other = order();
        other.feeBps = 1_000;
        vm.expectRevert(
            abi.encodeWithSelector(IEscrow.AuthorizationUnused.selector, payer, escrow.termsHash(other))
        );
        announceAdopt(other, payer);

        announceAdopt(terms, payer);
        passStrayDelay();
        vm.expectRevert(abi.encodeWithSelector(IEscrow.StrayNotAnnounced.selector, payer, escrow.termsHash(other)));
        adopt(other, payer);
        adopt(terms, payer);
        vm.expectRevert(abi.encodeWithSelector(IEscrow.StrayNotAnnounced.selector, payer, escrow.termsHash(terms)));
        adopt(terms, payer);
        expectWrongState(escrow.holdId(terms, payer), IEscrow.HoldState.Held, IEscrow.HoldState.None);
        announceAdopt(terms, payer);
        assertOwes(PRICE);
    }

    /// @dev Taken to the token, and our funding behind it: both waited for the same block.
    function test_aFundingThatComesSecondMovesNothingTwice() public {
        IEscrow.Terms memory terms = order();
        bytes memory signature = signed(terms, PAYER_KEY);
        bytes32 nonce = escrow.termsHash(terms);
        usdc.transferWithAuthorization(payer, address(escrow), PRICE, 0, terms.fundBy, nonce, signature);
        uint256 before = usdc.balanceOf(payer);
        vm.expectRevert("FiatTokenV2: authorization is used or canceled");
        escrow.fund(terms, payer, 0, terms.fundBy, signature);
        vm.assertEq(usdc.balanceOf(payer), before, "the payer's tokens");
        assertState(escrow.holdId(terms, payer), IEscrow.HoldState.None);
        vm.assertEq(escrow.surplus(), PRICE, "surplus");
    }

    /// @dev External, so that what it reverts with can be expected.
    function cancelAsPayer(bytes32 nonce) external {
        cancel(PAYER_KEY, nonce);
    }

    function newWallet() private returns (address wallet) {
        wallet = address(new NoisyWallet());
        usdc.mint(wallet, PRICE);
    }
}
