package dev.idspring.integration.jdbc;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import dev.idspring.integration.jdbc.Coupon.CouponCode;
import dev.idspring.integration.jdbc.Coupon.CouponId;
import org.springframework.data.repository.ListCrudRepository;

interface Coupons extends ListCrudRepository<Coupon, CouponId> {

	Optional<Coupon> findByCode(CouponCode code);

	Optional<Coupon> findByToken(UUID token);

	List<Coupon> findBySuccessor(CouponId successor);

}
