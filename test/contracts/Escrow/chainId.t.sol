// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IEscrow} from "../../../contracts/interfaces/IEscrow.sol";
import {EscrowTest} from "../EscrowTest.sol";
import {IDeployedEscrow} from "../IDeployedEscrow.sol";

/// @dev A chain changes its id, or splits into two chains of which one gets another id. The escrow and its
/// holds are on both of them, at the same addresses.
contract ChainIdTest is EscrowTest {
    uint256 private constant NEW_ID = 8453;

    uint256 private formerId;

    function setUp() public override {
        super.setUp();
        formerId = block.chainid;
    }

    function test_isTheIdAtTheDeployment() public {
        vm.assertEq(escrow.chainId(), formerId, "at the deployment");
        vm.chainId(NEW_ID);
        vm.assertEq(escrow.chainId(), formerId, "after the change");
        IDeployedEscrow second = deployEscrow(address(usdc), ADMIN, RESOLVER, PAUSER);
        vm.assertEq(second.chainId(), NEW_ID, "a second escrow");
    }

    function test_theResolverReleasesAHoldAfterAChange() public {
        (IEscrow.Terms memory terms, bytes32 id) = fundedBeforeTheChange();
        (address[] memory recipients, uint256[] memory amounts) = acceptedSplit();
        release(terms, recipients, amounts);
        assertState(id, IEscrow.HoldState.Released);
        assertClaimable(PAYEE, NET);
    }

    function test_thePartiesEndAHoldAfterAChange() public {
        (IEscrow.Terms memory terms, bytes32 id) = fundedBeforeTheChange();
        vm.prank(PAYEE);
        escrow.refundByPayee(terms, payer);
        assertState(id, IEscrow.HoldState.Released);
        vm.chainId(formerId);
        terms.order = keccak256("market:order:2");
        id = fund(terms);
        vm.chainId(NEW_ID);
        vm.prank(payer);
        escrow.releaseByPayer(terms);
        assertState(id, IEscrow.HoldState.Released);
    }

    function test_thePayerReclaimsAndWithdrawsAfterAChange() public {
        (IEscrow.Terms memory terms, bytes32 id) = fundedBeforeTheChange();
        vm.warp(terms.expiry + 1);
        uint256 before = usdc.balanceOf(payer);
        vm.prank(payer);
        escrow.reclaim(terms);
        assertState(id, IEscrow.HoldState.Reclaimed);
        vm.prank(payer);
        escrow.withdraw();
        vm.assertEq(usdc.balanceOf(payer) - before, PRICE, "paid");
    }

    /// @dev Both have the same nonce, so only the token's domain tells the two chains apart.
    function test_theTokenRefusesASignatureForTheOtherOfTwoChains() public {
        IEscrow.Terms memory terms = order();
        bytes memory former = signed(terms, PAYER_KEY);
        vm.chainId(NEW_ID);
        bytes memory current = signed(terms, PAYER_KEY);
        expectRefused(escrow, terms, former);
        vm.chainId(formerId);
        expectRefused(escrow, terms, current);
        escrow.fund(terms, payer, 0, terms.fundBy, former);
        assertState(escrow.holdId(terms, payer), IEscrow.HoldState.Held);
    }

    function test_aSecondEscrowOnTheOtherChainTakesNoPaymentOfTheFirst() public {
        IEscrow.Terms memory terms = order();
        bytes memory former = signed(terms, PAYER_KEY);
        vm.chainId(NEW_ID);
        bytes memory current = signed(terms, PAYER_KEY);
        IDeployedEscrow second = deployEscrow(address(usdc), ADMIN, RESOLVER, PAUSER);
        vm.assertTrue(second.termsHash(terms) != escrow.termsHash(terms), "another hash");
        expectRefused(second, terms, former);
        expectRefused(second, terms, current);
    }

    function fundedBeforeTheChange() private returns (IEscrow.Terms memory terms, bytes32 id) {
        (terms, id) = funded();
        vm.chainId(NEW_ID);
        vm.assertEq(escrow.holdId(terms, payer), id, "id of the hold");
    }

    function expectRefused(IDeployedEscrow by, IEscrow.Terms memory terms, bytes memory signature) private {
        vm.expectRevert("FiatTokenV2: invalid signature");
        by.fund(terms, payer, 0, terms.fundBy, signature);
    }
}
