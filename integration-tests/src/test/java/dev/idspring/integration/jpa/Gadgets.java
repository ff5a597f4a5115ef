package dev.idspring.integration.jpa;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import dev.idspring.integration.jpa.Gadget.Code;
import dev.idspring.integration.jpa.Part.PartId;
import org.springframework.data.jpa.repository.JpaRepository;

interface Gadgets extends JpaRepository<Gadget, UUID> {

	Optional<Gadget> findByCode(Code code);

	List<Gadget> findByPartId(PartId part);

}
