/// The curve P-256 (SP 800-186, 3.2.1).
package enum P256: Curve {
    /// The coordinates: whole numbers below 2²⁵⁶ − 2²²⁴ + 2¹⁹² + 2⁹⁶ − 1.
    package enum Prime: Modulus {
        @inline(__always)
        package static var modulus: Limbs4 {
            Limbs4(
                0xffff_ffff_ffff_ffff, 0x0000_0000_ffff_ffff,
                0x0000_0000_0000_0000, 0xffff_ffff_0000_0001)
        }

        @inline(__always)
        package static var inverse: UInt64 { 1 }

        package static var radixSquared: Limbs4 {
            Limbs4(
                0x0000_0000_0000_0003, 0xffff_fffb_ffff_ffff,
                0xffff_ffff_ffff_fffe, 0x0000_0004_ffff_fffd)
        }
    }

    /// The scalars: whole numbers below the number of points.
    package enum Order: Modulus {
        @inline(__always)
        package static var modulus: Limbs4 {
            Limbs4(
                0xf3b9_cac2_fc63_2551, 0xbce6_faad_a717_9e84,
                0xffff_ffff_ffff_ffff, 0xffff_ffff_0000_0000)
        }

        @inline(__always)
        package static var inverse: UInt64 { 0xccd1_c8aa_ee00_bc4f }

        package static var radixSquared: Limbs4 {
            Limbs4(
                0x8324_4c95_be79_eea2, 0x4699_799c_49bd_6fa6,
                0x2845_b239_2b6b_ec59, 0x66e1_2d94_f3d9_5620)
        }
    }

    package static var b: Limbs4 {
        Limbs4(
            0x3bce_3c3e_27d2_604b, 0x651d_06b0_cc53_b0f6,
            0xb3eb_bd55_7698_86bc, 0x5ac6_35d8_aa3a_93e7)
    }

    package static var generator: (x: Limbs4, y: Limbs4) {
        (
            Limbs4(
                0xf4a1_3945_d898_c296, 0x7703_7d81_2deb_33a0,
                0xf8bc_e6e5_63a4_40f2, 0x6b17_d1f2_e12c_4247),
            Limbs4(
                0xcbb6_4068_37bf_51f5, 0x2bce_3357_6b31_5ece,
                0x8ee7_eb4a_7c0f_9e16, 0x4fe3_42e2_fe1a_7f9b)
        )
    }

    package static let generatorMultiples = AffinePoint<P256>.oddMultiplesOfGenerator()
    package static let generatorTable = GeneratorTable<P256>()
}
