package dev.idspring.integration.jdbc;

import java.util.UUID;

import dev.idspring.annotation.GeneratedId;
import dev.idspring.annotation.IdAsString;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.core.mapping.AggregateReference;

/**
 * An aggregate with a typed key, a typed public id, a UUID, and a reference to another
 * one of its kind.
 */
record Coupon(@Id @GeneratedId CouponId id, @GeneratedId("codes") CouponCode code, @GeneratedId UUID token,
		AggregateReference<Coupon, CouponId> successor) {

	static Coupon fresh() {
		return new Coupon(null, null, null, null);
	}

	Coupon replacedBy(Coupon successor) {
		return new Coupon(this.id, this.code, this.token, AggregateReference.to(successor.id()));
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

}
