package dev.idspring.integration.jdbc;

import java.util.List;
import java.util.UUID;

import dev.idspring.annotation.GeneratedId;
import dev.idspring.annotation.IdAsString;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.PersistenceCreator;
import org.springframework.data.jdbc.core.mapping.AggregateReference;

/**
 * An aggregate with a typed key, a typed public id, a UUID, a reference to another
 * coupon, and children.
 */
record Coupon(@Id @GeneratedId CouponId id, @GeneratedId("codes") CouponCode code, @GeneratedId UUID token,
		AggregateReference<Coupon, CouponId> successor, List<Redemption> redemptions) {

	@PersistenceCreator
	Coupon {
	}

	Coupon(Redemption... redemptions) {
		this(null, null, null, null, List.of(redemptions));
	}

	Coupon(UUID token) {
		this(null, null, token, null, List.of());
	}

	Coupon(Coupon successor, UUID token) {
		this(null, null, token, AggregateReference.to(successor.id()), List.of());
	}

	/**
	 * The type of the key.
	 */
	@IdAsString
	record CouponId(long value) {

	}

	/**
	 * The type of the public id.
	 */
	@IdAsString("codes")
	record CouponCode(String value) {

	}

	record Redemption(@Id @GeneratedId("codes") RedemptionId id, int cents) {

		@PersistenceCreator
		Redemption {
		}

		Redemption(int cents) {
			this(null, cents);
		}

		/**
		 * The type of the children's key.
		 */
		@IdAsString("codes")
		record RedemptionId(UUID value) {

		}

	}

}
