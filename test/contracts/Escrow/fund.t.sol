// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IEscrow} from "../../../contracts/interfaces/IEscrow.sol";
import {IEscrowControls} from "../../../contracts/interfaces/IEscrowControls.sol";
import {EscrowTest} from "../EscrowTest.sol";
import {IDeployedEscrow} from "../IDeployedEscrow.sol";
import {IUsdc} from "../IUsdc.sol";
import {SignerWallet} from "../SignerWallet.sol";
import {Vm} from "../Vm.sol";

contract FundTest is EscrowTest {
    function test_holdsThePayment() public {
        (, bytes32 id) = funded();
        assertState(id, IEscrow.HoldState.Held);
        assertOwes(PRICE);
        vm.assertEq(usdc.balanceOf(address(escrow)), PRICE, "the escrow has the money");
        assertClaimable(PAYEE, 0);
    }

    function test_anyoneMaySubmit() public {
        IEscrow.Terms memory terms = order();
        bytes memory signature = signed(terms, PAYER_KEY);
        vm.prank(STRANGER);
        escrow.fund(terms, payer, 0, terms.fundBy, signature);
        assertState(escrow.holdId(terms, payer), IEscrow.HoldState.Held);
    }

    function test_emitsFundedRightAfterTheTokensEvents() public {
        IEscrow.Terms memory terms = order();
        bytes32 nonce = escrow.termsHash(terms);
        vm.recordLogs();
        bytes32 id = fund(terms);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        vm.assertEq(logs.length, 3, "number of logs");
        vm.assertEq(logs[0].topics[0], IUsdc.AuthorizationUsed.selector, "first log");
        vm.assertEq(logs[0].topics[2], nonce, "nonce");
        vm.assertEq(logs[1].topics[0], IERC20.Transfer.selector, "second log");
        vm.assertEq(logs[2].topics[0], IEscrow.Funded.selector, "third log");
        vm.assertEq(logs[2].topics[1], id, "hold");
        vm.assertEq(logs[2].topics[2], terms.order, "order");
        vm.assertEq(logs[2].topics[3], bytes32(uint256(uint160(payer))), "payer");
        vm.assertEq(keccak256(logs[2].data), keccak256(abi.encode(terms, false)), "terms and adopted");
    }

    function test_takesAContractWalletsSignature() public {
        SignerWallet wallet = new SignerWallet(payer);
        usdc.mint(address(wallet), PRICE);
        IEscrow.Terms memory terms = order();
        // The wallet answers for its owner's signature over the wallet's own authorization.
        bytes memory signature = signTransferFor(
            PAYER_KEY,
            address(wallet),
            address(escrow),
            PRICE,
            terms.fundBy,
            escrow.termsHash(terms)
        );
        escrow.fund(terms, address(wallet), 0, terms.fundBy, signature);
        assertState(escrow.holdId(terms, address(wallet)), IEscrow.HoldState.Held);
    }

    function test_refusesATermChangedAfterSigning(uint256 field, uint256 salt) public {
        IEscrow.Terms memory terms = order();
        bytes memory signature = signed(terms, PAYER_KEY);
        uint256 validBefore = terms.fundBy;
        field = field % 7;
        uint256 shift = 1 + (salt % 1_000);
        if (field == 0) terms.order = keccak256(abi.encode(terms.order, salt));
        if (field == 1) terms.payee = address(uint160(terms.payee) + uint160(shift) + 0x100);
        if (field == 2) terms.amount += uint128(shift);
        if (field == 3) terms.feeRecipient = address(uint160(terms.feeRecipient) + uint160(shift) + 0x100);
        if (field == 4) terms.feeBps = uint16(salt % 500);
        if (field == 5) terms.fundBy += uint48(shift);
        if (field == 6) terms.expiry += uint48(shift);
        vm.expectRevert("FiatTokenV2: invalid signature");
        escrow.fund(terms, payer, 0, validBefore, signature);
        assertOwes(0);
    }

    function test_refusesASignatureForAnotherEscrow() public {
        IEscrow.Terms memory terms = order();
        bytes memory signature = signed(terms, PAYER_KEY);
        IDeployedEscrow other = deployEscrow(address(usdc), ADMIN, RESOLVER, PAUSER);
        vm.expectRevert("FiatTokenV2: invalid signature");
        other.fund(terms, payer, 0, terms.fundBy, signature);
    }

    function test_refusesASecondFunding() public {
        (IEscrow.Terms memory terms, bytes32 id) = funded();
        bytes memory signature = signed(terms, PAYER_KEY);
        expectWrongState(id, IEscrow.HoldState.Held, IEscrow.HoldState.None);
        escrow.fund(terms, payer, 0, terms.fundBy, signature);
        assertOwes(PRICE);
    }

    function test_aStrangersHoldUnderTheSameTermsIsAnother() public {
        uint256 strangerKey = 0xBAD;
        usdc.mint(vm.addr(strangerKey), PRICE);
        IEscrow.Terms memory terms = order();
        bytes32 strangers = fund(terms, strangerKey);
        bytes32 buyers = fund(terms);
        assertState(strangers, IEscrow.HoldState.Held);
        assertState(buyers, IEscrow.HoldState.Held);
        assertOwes(2 * PRICE);

        (address[] memory recipients, uint256[] memory amounts) = whole(vm.addr(strangerKey), PRICE);
        vm.prank(RESOLVER);
        escrow.release(terms, vm.addr(strangerKey), recipients, amounts);
        assertState(buyers, IEscrow.HoldState.Held);
    }

    function test_refusesWhatTheTokenRefuses() public {
        IEscrow.Terms memory terms = order();
        bytes memory signature = signed(terms, PAYER_KEY);

        cancel(PAYER_KEY, escrow.termsHash(terms));
        vm.expectRevert("FiatTokenV2: authorization is used or canceled");
        escrow.fund(terms, payer, 0, terms.fundBy, signature);

        terms.order = keccak256("market:order:2");
        signature = signed(terms, PAYER_KEY);
        usdc.blacklist(payer);
        vm.expectRevert("Blacklistable: account is blacklisted");
        escrow.fund(terms, payer, 0, terms.fundBy, signature);
        assertState(escrow.holdId(terms, payer), IEscrow.HoldState.None);
        assertOwes(0);
    }

    function test_fundByIsTheLastMoment() public {
        IEscrow.Terms memory terms = order();
        uint256 validBefore = terms.fundBy + 1 days;
        bytes memory signature = signTransfer(
            PAYER_KEY,
            address(escrow),
            PRICE,
            validBefore,
            escrow.termsHash(terms)
        );
        vm.warp(terms.fundBy + 1);
        vm.expectRevert(abi.encodeWithSelector(IEscrow.FundingClosed.selector, terms.fundBy));
        escrow.fund(terms, payer, 0, validBefore, signature);
        vm.warp(terms.fundBy);
        escrow.fund(terms, payer, 0, validBefore, signature);
        assertOwes(PRICE);
    }

    function test_expiryIsAfterFundByAndWithin400Days() public {
        IEscrow.Terms memory terms = order();
        uint256 latest = timeNow() + 400 days;
        terms.expiry = terms.fundBy;
        expectRefusal(terms, abi.encodeWithSelector(IEscrow.InvalidExpiry.selector, terms.expiry, terms.fundBy, latest));
        terms.expiry = uint48(latest + 1);
        expectRefusal(terms, abi.encodeWithSelector(IEscrow.InvalidExpiry.selector, terms.expiry, terms.fundBy, latest));
        terms.expiry = uint48(latest);
        fund(terms);
        assertOwes(PRICE);
    }

    function test_refusesAPayeeThatCouldNotWithdraw() public {
        address[4] memory refused = [address(0), address(escrow), address(usdc), FEE_RECIPIENT];
        for (uint256 i = 0; i < refused.length; ++i) {
            IEscrow.Terms memory terms = order();
            terms.payee = refused[i];
            expectRefusal(terms, abi.encodeWithSelector(IEscrow.InvalidPayee.selector, refused[i]));
        }
    }

    function test_refusesAFeeRecipientThatCouldNotWithdraw() public {
        address[3] memory refused = [address(0), address(escrow), address(usdc)];
        for (uint256 i = 0; i < refused.length; ++i) {
            IEscrow.Terms memory terms = order();
            terms.feeRecipient = refused[i];
            expectRefusal(terms, abi.encodeWithSelector(IEscrow.InvalidFeeRecipient.selector, refused[i]));
        }
    }

    function test_takesNoFeeRecipientWithoutAFee() public {
        IEscrow.Terms memory terms = order();
        terms.feeRecipient = address(0);
        terms.feeBps = 0;
        fund(terms);
        assertOwes(PRICE);
    }

    function test_refusesAPayerWhoIsAlsoPaid() public {
        IEscrow.Terms memory terms = order();
        terms.payee = payer;
        expectRefusal(terms, abi.encodeWithSelector(IEscrow.InvalidPayer.selector, payer));
        terms = order();
        terms.feeRecipient = payer;
        expectRefusal(terms, abi.encodeWithSelector(IEscrow.InvalidPayer.selector, payer));
    }

    function test_refusesAnAmountOfZero() public {
        IEscrow.Terms memory terms = order();
        terms.amount = 0;
        expectRefusal(terms, abi.encodeWithSelector(IEscrow.ZeroAmount.selector));
    }

    function test_refusesAFeeAboveTheCap() public {
        IEscrow.Terms memory terms = order();
        terms.feeBps = 1_001;
        expectRefusal(terms, abi.encodeWithSelector(IEscrow.InvalidFee.selector, 1_001, 1_000));
        terms.feeBps = 1_000;
        fund(terms);
        assertOwes(PRICE);
    }

    function test_isStoppedByAPause() public {
        vm.prank(PAUSER);
        escrow.pause();
        expectRefusal(
            order(),
            abi.encodeWithSelector(IEscrowControls.EscrowPaused.selector, uint48(timeNow() + 7 days))
        );
    }

    function test_termsHashIsTheOnePublished() public view {
        IEscrow.Terms memory terms = order();
        bytes32 typehash = keccak256(
            "Terms(uint256 chainId,address escrow,address token,bytes32 order,address payee,uint128 amount,address feeRecipient,uint16 feeBps,uint48 fundBy,uint48 expiry)"
        );
        bytes32 expected = keccak256(
            bytes.concat(
                abi.encode(typehash, block.chainid, address(escrow), address(usdc), terms.order, terms.payee),
                abi.encode(terms.amount, terms.feeRecipient, terms.feeBps, terms.fundBy, terms.expiry)
            )
        );
        vm.assertEq(escrow.termsHash(terms), expected, "terms hash");
        vm.assertEq(escrow.holdId(terms, payer), keccak256(abi.encode(expected, payer)), "hold id");
    }

    function test_refusesASignatureForAnotherChain() public {
        IEscrow.Terms memory terms = order();
        bytes memory signature = signed(terms, PAYER_KEY);
        vm.chainId(8453);
        vm.expectRevert("FiatTokenV2: invalid signature");
        escrow.fund(terms, payer, 0, terms.fundBy, signature);
    }

    function expectRefusal(IEscrow.Terms memory terms, bytes memory reason) private {
        bytes memory signature = signed(terms, PAYER_KEY);
        vm.expectRevert(reason);
        escrow.fund(terms, payer, 0, terms.fundBy, signature);
        assertOwes(0);
    }
}
