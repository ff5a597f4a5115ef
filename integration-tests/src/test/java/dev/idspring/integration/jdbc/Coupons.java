package dev.idspring.integration.jdbc;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import dev.idspring.integration.jdbc.Coupon.CouponCode;
import dev.idspring.integration.jdbc.Coupon.CouponId;
import org.springframework.data.jdbc.repository.query.Query;
import org.springframework.data.repository.ListCrudRepository;

interface Coupons extends ListCrudRepository<Coupon, CouponId> {

	Optional<Coupon> findByCode(CouponCode code);

	Optional<Coupon> findByToken(UUID token);

	List<Coupon> findByCodeIn(List<CouponCode> codes);

	List<Coupon> findBySuccessor(CouponId successor);

	List<Coupon> findByIdGreaterThanEqualOrderByIdDesc(CouponId id);

	@Query("select * from coupon where id = :id or token = :token order by id")
	List<Coupon> selectByIdOrToken(CouponId id, UUID token);

}
