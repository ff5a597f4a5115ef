package dev.idspring.neighbours.datarest;

import org.springframework.data.repository.CrudRepository;

public interface Coupons extends CrudRepository<Coupon, String> {

}
