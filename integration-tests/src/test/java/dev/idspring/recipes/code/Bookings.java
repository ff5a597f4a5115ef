package dev.idspring.recipes.code;

import java.util.Optional;

import org.springframework.data.jpa.repository.JpaRepository;

interface Bookings extends JpaRepository<Booking, Long> {

	Optional<Booking> findByCode(String code);

}
