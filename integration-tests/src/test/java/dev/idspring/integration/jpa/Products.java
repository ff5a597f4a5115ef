package dev.idspring.integration.jpa;

import java.util.Optional;

import org.springframework.data.jpa.repository.JpaRepository;

interface Products extends JpaRepository<Product, Long> {

	Optional<Product> findByCode(String code);

}
