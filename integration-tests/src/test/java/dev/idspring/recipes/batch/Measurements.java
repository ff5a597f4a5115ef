package dev.idspring.recipes.batch;

import org.springframework.data.jpa.repository.JpaRepository;

interface Measurements extends JpaRepository<Measurement, Long> {

}
